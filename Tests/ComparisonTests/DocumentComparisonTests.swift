import Foundation
import PropertyList
import TestSupport
import Testing

/// The cells of the table of documents on the page `Evidence.md`.
@Suite("Documents that are read and written")
struct DocumentComparisonTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Converts a document, to binary if it is XML, and to XML otherwise.
  private func convert(_ document: Data, with reader: Reader) throws -> BuiltProgram.Run {
    try folder.write(document, to: "input.plist")
    var shell = BuiltProgram("sh")
    shell.environment = [
      "PATH": BuiltProgram.searchPath, "SWIFT_BACKTRACE": "enable=no",
      "FORMAT": document.starts(with: Data("bplist".utf8)) ? "xml1" : "binary1",
    ]
    return try shell.run(
      "/bin/sh",
      ["-c", reader.command, "sh", folder.path("input.plist"), folder.path("output.plist")],
      in: folder)
  }

  @Test(
    "Each library makes of a document what the table says", arguments: try PassedDocument.all.get(),
    Reader.allCases)
  func passage(of document: PassedDocument, through reader: Reader) throws {
    let run = try convert(document.document, with: reader)
    #expect(run.status != 127, "\(run.error)")
    let passage = try Passage(of: document.value, to: try? folder.data("output.plist"))
    #expect(passage == document.passages[reader] ?? .same, "\(run.error)")
  }

  @Test(
    "Errors name the line and the column, the line, or neither",
    arguments: [
      (Reader.larder, "line 2 column 17: not an integer"), (.foundation, "on line 2"),
      (.plistlib, "ValueError: invalid literal for int()"),
    ])
  func errors(reader: Reader, expected: String) throws {
    let run = try convert(PassedDocument.integerWithLetters.document, with: reader)
    #expect(run.error.contains(expected), "\(run.error)")
    #expect(run.error.contains("column") == (reader == .larder))
  }
}
