import Foundation
import PropertyList
import Testing

/// A file of Fixtures with its row in Fixtures/INDEX.md.
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

/// The tables of Fixtures/INDEX.md: under a heading for each folder, a row for each file with its
/// name, its purpose and, in backticks, the warnings or the error.
enum FixtureIndex {
  /// The package's folder Fixtures, as copied beside the tests.
  static let root = Bundle.module.bundleURL.appending(path: "Fixtures")

  /// The rows of the index.
  static let fixtures: [Fixture] = {
    guard let text = try? String(contentsOf: root.appending(path: "INDEX.md"), encoding: .utf8)
    else { return [] }
    var fixtures: [Fixture] = []
    var folder = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") {
        folder = String(line.dropFirst(3))
      } else if line.hasPrefix("| "), !line.hasPrefix("| file |") {
        let cells = line.dropFirst(2).dropLast(2).split(separator: " | ", maxSplits: 2)
        guard cells.count == 3 else { continue }
        let pieces = cells[2].split(separator: "`", omittingEmptySubsequences: false)
        let messages = pieces.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        fixtures.append(Fixture(folder: folder, name: String(cells[0]), messages: messages))
      }
    }
    return fixtures
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
