import Foundation
import PropertyList

extension FuzzTarget {
  /// Signed messages and Mach-O files. What is found in them is a part of the file, and is found again
  /// in a copy of it.
  static let envelopes = FuzzTarget(name: "envelopes") { data in
    do {
      guard let (contents, envelope) = try PlistEnvelope.open(data) else { return }
      try expectLine(envelope)
      try expect(contents.count <= data.count, "there are more contents than bytes")
      let again = try PlistEnvelope.open(data + Data([0]))
      try expect(again?.contents == contents, "another byte at the end changes the contents")
    } catch let error as PlistError {
      try expectLine(error)
      if case .byte(let offset)? = error.location {
        try expect((0...data.count).contains(offset), "there is no byte \(offset)")
      }
    }
  }

  /// The objects of keyed archives, which are followed from the top, each once.
  static let archives = FuzzTarget(name: "archives") { data in
    guard let document = try? Plist.read(data, options: .small),
      let archive = ArchivedObjects(document.value)
    else { return }
    _ = archive.rootClassName
    _ = archive.referenceCounts
    var visited: Set<UInt32> = []
    var remaining = archive.top.map(\.value)
    while let value = remaining.popLast() {
      let object: ArchivedObjects.Object
      switch archive.node(for: value) {
      case .object(let found) where visited.insert(found.number).inserted: object = found
      case .container(let container): object = container
      case .object, .value, .text, .missing: continue
      }
      switch object.contents {
      case .fields(let fields): remaining += fields.map(\.value)
      case .elements(let elements): remaining += elements
      case .entries(let entries): remaining += entries.flatMap { [$0.key, $0.value] }
      }
    }
  }
}
