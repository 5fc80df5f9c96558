import Foundation
import TestSupport

@testable import PropertyList

/// A temporary folder with a binary property list that a test reads in parts.
struct DocumentFolder {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The path of the document.
  var path: String { folder.path("document.plist") }

  func path(of name: String) -> String { folder.path(name) }

  /// Writes another file.
  func write(_ data: Data, to name: String) throws { try folder.write(data, to: name) }

  /// Writes a document and opens it.
  func open(_ data: Data, limits: PlistLimits = PlistLimits()) throws -> BinaryPlistDocument {
    try folder.write(data, to: "document.plist")
    return try BinaryPlistDocument(path: path, limits: limits)
  }

  /// Returns a document of tracks by number, each a dictionary of 15 entries.
  static func library(_ tracks: Int) throws -> Data {
    let entries = (0..<tracks).map { number -> (String, PlistValue) in
      let fields = (0..<14).map { ("Field \($0)", PlistValue.string("\(number) of \($0)")) }
      let name = ("Name", PlistValue.string("Track \(number)"))
      return ("\(number)", .dictionary(PlistDictionary(fields + [name])))
    }
    return try Plist.write(["Tracks": .dictionary(PlistDictionary(entries))], as: .binary)
  }
}
