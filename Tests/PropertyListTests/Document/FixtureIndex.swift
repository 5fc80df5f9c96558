import Foundation
import PropertyList
import Testing

/// A file of Fixtures with its line in Fixtures/index.tsv.
struct Fixture: Sendable {
  /// The folder within Fixtures, such as `malformed/xml`.
  let folder: String
  /// The file's name, such as `root-date.plist`.
  let name: String
  /// The expected texts of the reader: the warnings of a well-formed document, the error of a
  /// malformed one.
  let messages: [String]

  /// The file's name without its extension, the same for equal values in different formats.
  var stem: String { String(name.prefix { $0 != "." }) }

  /// The format of the folder.
  var format: PlistFormat {
    switch folder.split(separator: "/").last {
    case "xml": .xml
    case "binary": .binary
    case "json": .json
    default: .openStep
    }
  }

  /// Whether the file must be refused.
  var isMalformed: Bool { folder.hasPrefix("malformed/") }

  /// The file's bytes.
  func data() throws -> Data {
    try Data(contentsOf: FixtureIndex.root.appending(path: "\(folder)/\(name)"))
  }

  /// Reads the file.
  func read() throws -> PlistDocument {
    try Plist.read(try data())
  }
}

extension Fixture: CustomTestStringConvertible {
  /// The path within Fixtures.
  var testDescription: String { "\(folder)/\(name)" }
}

/// The table Fixtures/index.tsv: a line for each file with its folder, name, purpose, and the
/// warnings or the error.
enum FixtureIndex {
  /// The package's folder Fixtures, as copied beside the tests.
  static let root = Bundle.module.bundleURL.appending(path: "Fixtures")

  /// The lines of the table below its heading.
  static let fixtures: [Fixture] = {
    guard let text = try? String(contentsOf: root.appending(path: "index.tsv"), encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: "\t").map(String.init)
      return Fixture(folder: cells[0], name: cells[1], messages: Array(cells.dropFirst(3)))
    }
  }()

  /// The documents that must be read.
  static let wellFormed = fixtures.filter { !$0.isMalformed }

  /// The documents that must be refused.
  static let malformed = fixtures.filter(\.isMalformed)

  /// The well-formed document with a name, without its extension, in a folder.
  static func fixture(_ stem: String, in folder: String) -> Fixture? {
    wellFormed.first { $0.stem == stem && $0.folder == folder }
  }

  /// The paths within Fixtures of all files in its folders.
  static func files() throws -> Set<String> {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return Set(
      paths.filter { path in
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(
          atPath: root.appending(path: path).path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue && path.contains("/")
      })
  }
}
