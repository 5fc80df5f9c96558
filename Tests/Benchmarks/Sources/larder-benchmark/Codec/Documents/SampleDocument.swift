import Foundation
import PropertyList

/// A document in both formats, in memory and as files.
struct SampleDocument {
  let name: String
  /// The number of values, including containers.
  let nodeCount: Int
  let xml: Data
  let binary: Data
  private let folder: String

  /// Writes a value in both formats.
  init(
    _ name: String, _ value: PlistValue, keyOrder: PlistWriteOptions.KeyOrder = .sorted,
    in folder: String
  ) throws {
    self.name = name
    self.folder = folder
    nodeCount = Self.count(value)
    var options = PlistWriteOptions()
    options.keyOrder = keyOrder
    xml = try Plist.write(value, as: .xml, options: options)
    binary = try Plist.write(value, as: .binary, options: options)
    for format in DocumentFormat.allCases {
      try data(format).write(to: URL(fileURLWithPath: path(format)))
      try ensure(
        Plist.read(data(format)).value == value, "\(name) differs when it is read back")
    }
  }

  func data(_ format: DocumentFormat) -> Data {
    format == .xml ? xml : binary
  }

  /// Returns the path of the file in a format.
  func path(_ format: DocumentFormat) -> String {
    "\(folder)/\(name).\(format.rawValue)"
  }

  func removeFiles() {
    for format in DocumentFormat.allCases {
      try? FileManager.default.removeItem(atPath: path(format))
    }
  }

  private static func count(_ value: PlistValue) -> Int {
    switch value {
    case .dictionary(let dictionary): dictionary.values.reduce(1) { $0 + count($1) }
    case .array(let elements), .set(let elements): elements.reduce(1) { $0 + count($1) }
    default: 1
    }
  }
}
