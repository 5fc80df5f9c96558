import CSAX
import Foundation

/// The limit of reading XML with libxml2: its SAX2 interface with empty callbacks.
struct EmptySAX: Codec {
  /// The version of libxml2's headers.
  static let version = String(cString: sax_version())

  static func supports(_ operation: CodecOperation) -> Bool { operation == .readXML }

  func work(_ operation: CodecOperation, _ data: Data) -> () throws -> Void {
    { try parse(data, nil, nil) }
  }
}

/// The limit of reading XML with libxml2 into Swift values: callbacks that only make a string of
/// each text and append it to the array of its container.
struct SwiftSAX: Codec {
  static func supports(_ operation: CodecOperation) -> Bool { operation == .readXML }

  func work(_ operation: CodecOperation, _ data: Data) -> () throws -> Void {
    {
      let tree = Tree()
      var callbacks = SAXCallbacks(
        start: { tree, name in Tree.at(tree).start(name!) },
        end: { tree in Tree.at(tree).end() },
        text: { tree, bytes, count in Tree.at(tree).add(bytes!, Int(count)) })
      try parse(data, &callbacks, Unmanaged.passUnretained(tree).toOpaque())
      try ensure(tree.open.count == 1 && tree.open[0].count == 1, "the tree is not complete")
    }
  }

  private enum Node {
    case text(String)
    case container([Node])
  }

  private final class Tree {
    private(set) var open: [[Node]] = [[]]
    private var isLeaf = false
    private var text = ""

    @inline(__always)
    static func at(_ address: UnsafeMutableRawPointer?) -> Tree {
      Unmanaged<Tree>.fromOpaque(address!).takeUnretainedValue()
    }

    func start(_ name: UnsafePointer<CChar>) {
      isLeaf = strcmp(name, "dict") != 0 && strcmp(name, "array") != 0 && strcmp(name, "plist") != 0
      if !isLeaf { open.append([]) }
    }

    func end() {
      let node: Node
      if isLeaf {
        node = .text(text)
        text = ""
      } else {
        node = .container(open.removeLast())
      }
      open[open.count - 1].append(node)
      isLeaf = false
    }

    func add(_ bytes: UnsafePointer<CChar>, _ count: Int) {
      guard isLeaf else { return }
      let piece = String(
        decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
      if text.isEmpty { text = piece } else { text += piece }
    }
  }
}

private func parse(
  _ data: Data, _ callbacks: UnsafePointer<SAXCallbacks>?, _ user: UnsafeMutableRawPointer?
) throws {
  let isWellFormed = data.withUnsafeBytes {
    sax_parse($0.baseAddress, $0.count, callbacks, user) != 0
  }
  try ensure(isWellFormed, "libxml2 rejects the document")
}
