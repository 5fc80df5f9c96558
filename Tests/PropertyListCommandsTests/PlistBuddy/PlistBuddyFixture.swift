import Foundation
import PropertyList
import TestSupport
import Testing

/// A folder with a property list in `f.plist`, where PlistBuddy runs.
struct PlistBuddyFixture {
  let folder: TemporaryFolder

  /// A dictionary with a value of each type.
  static let sample: PlistDictionary = [
    "name": "Larder", "count": 5, "ratio": 3.5, "on": true,
    "when": .date(.init(timeIntervalSinceReferenceDate: 725_760_000)),
    "raw": .data(Data("bytes".utf8)), "list": ["a", "b"], "a:b": ["c d": "deep"],
  ]

  /// Writes a text to `f.plist`; the sample, in its order, if it is nil.
  init(_ text: String? = nil) throws {
    folder = try TemporaryFolder()
    var options = PlistWriteOptions()
    options.keyOrder = .document
    let sample = try Plist.write(.dictionary(Self.sample), as: .binary, options: options)
    try folder.write(text.map { Data($0.utf8) } ?? sample, to: "f.plist")
  }

  /// Runs commands on `f.plist` with `-c` each, and expects everything that they print, and the
  /// value of the file.
  ///
  /// - Parameters:
  ///   - status: The expected exit status; nil for 1 if there is an error, and 0 otherwise.
  ///   - value: The expected value; nil for the same bytes as before.
  func expect(
    _ commands: String..., output: String = "", error: String = "", status: Int32? = nil,
    value: PlistValue? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try? folder.data("f.plist")
    try PlistBuddyProgram.program.expect(
      commands.flatMap { ["-c", $0] } + ["f.plist"], in: folder, output: output, error: error,
      status: status ?? (error.isEmpty ? 0 : 1), sourceLocation: sourceLocation)
    if let value {
      #expect(
        try Plist.read(folder.data("f.plist")).value == value, sourceLocation: sourceLocation)
    } else {
      #expect((try? folder.data("f.plist")) == before, sourceLocation: sourceLocation)
    }
  }
}
