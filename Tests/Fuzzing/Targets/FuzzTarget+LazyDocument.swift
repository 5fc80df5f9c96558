import Foundation
import Glibc
import PropertyList

extension FuzzTarget {
  /// `BinaryPlistDocument`, which must find the same at every path as the reader.
  static let lazyDocument = FuzzTarget(name: "lazy") { data in
    try ScratchFile().withContents(data) { path in
      let limits = PlistReadOptions.small.limits
      let whole = Result { try Plist.read(data, as: .binary, options: .small).value }
      let document: BinaryPlistDocument
      do throws(PlistError) {
        document = try BinaryPlistDocument(path: path, limits: limits)
      } catch {
        try expectLine(error)
        guard case .failure = whole else {
          throw Finding(description: "the reader accepts what the document refuses: \(error)")
        }
        return
      }
      var comparison = LazyComparison(document: document)
      switch whole {
      case .success(let value): try comparison.compare(value, at: PlistKeyPath())
      case .failure: try comparison.explore(PlistKeyPath())
      }
    }
  }
}

/// Reads the values of a document, up to a number that keeps a run short.
private struct LazyComparison {
  let document: BinaryPlistDocument
  private var remaining = 60

  init(document: BinaryPlistDocument) {
    self.document = document
  }

  /// Compares a document that the reader accepts.
  mutating func compare(_ value: PlistValue, at path: PlistKeyPath) throws {
    remaining -= 1
    guard remaining > 0 else { return }
    try expect(try document.kind(at: path) == value.kind, "another kind at <\(path)>")
    try expect(try document.value(at: path) == value, "another value at <\(path)>")
    switch value {
    case .dictionary(let dictionary):
      for (key, value) in dictionary { try compare(value, at: path.appending(key)) }
      let missing = path.appending("no such key")
      if dictionary["no such key"] == nil {
        try expect(try document.value(at: missing) == nil, "a value at <\(missing)>")
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        try compare(element, at: path.appending(String(index)))
      }
      let end = path.appending(String(elements.count))
      try expect(try document.value(at: end) == nil, "a value at <\(end)>")
    default: break
    }
  }

  /// Reads the readable parts of a document that the reader refuses.
  mutating func explore(_ path: PlistKeyPath) throws {
    remaining -= 1
    guard remaining > 0 else { return }
    do {
      guard let kind = try document.kind(at: path) else { return }
      if kind == .array {
        for index in 0..<6 { try explore(path.appending(String(index))) }
      }
      if case .dictionary(let dictionary)? = try document.value(at: path) {
        for key in dictionary.keys.prefix(5) { try explore(path.appending(key)) }
      }
    } catch let error as PlistError {
      try expectLine(error)
    }
  }
}

/// A file without a name, for one input: several may be checked at once.
private final class ScratchFile {
  private let descriptor: Int32

  init() {
    var template = Array(
      FileManager.default.temporaryDirectory.appending(path: "larder-XXXXXX").path.utf8CString)
    descriptor = mkstemp(&template)
    unlink(template)
  }

  deinit { close(descriptor) }

  /// Calls the closure with the path of the file, with these contents.
  func withContents(_ data: Data, _ body: (String) throws -> Void) throws {
    guard ftruncate(descriptor, 0) == 0,
      data.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == data.count
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    try body("/proc/self/fd/\(descriptor)")
  }
}

extension PlistKeyPath {
  /// The path of a value in the container at this path.
  fileprivate func appending(_ component: String) -> PlistKeyPath {
    PlistKeyPath(components: components + [component])
  }
}
