import Foundation
import PropertyList
import TestSupport
import Testing

/// A folder with a sample property list, where plutil runs.
struct PlutilFixture {
  let folder: TemporaryFolder

  static let sample = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>count</key>
    \t<integer>-5</integer>
    \t<key>data</key>
    \t<data>
    \tAQIDBA==
    \t</data>
    \t<key>list</key>
    \t<array>
    \t\t<dict>
    \t\t\t<key>a.b</key>
    \t\t\t<string>deep</string>
    \t\t</dict>
    \t\t<true/>
    \t</array>
    \t<key>ratio</key>
    \t<real>2.5</real>
    \t<key>when</key>
    \t<date>2024-01-02T03:04:05Z</date>
    </dict>
    </plist>

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.sample, to: "sample.plist")
  }

  /// Runs plutil with the words of a line, and expects everything that it prints.
  func expect(
    _ line: String, input: String = "", output: String = "", error: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      words: line.split(separator: " ").map(String.init), input: input, output: output,
      error: error, status: status, sourceLocation: sourceLocation)
  }

  /// Runs plutil with words that may be empty or contain spaces, and expects everything that it
  /// prints.
  func expect(
    words: [String], input: String = "", output: String = "", error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Plutil.program.expect(
      words, in: folder, input: input, output: output, error: error, status: status,
      sourceLocation: sourceLocation)
  }

  /// Runs plutil with the words of a line, and expects a usage error.
  func expectUsageError(
    _ line: String, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      line, error: "plutil: \(message) (see plutil -help)\n", status: 1,
      sourceLocation: sourceLocation)
  }

  /// Runs a verb on a symbolic link to the sample, and expects that the link and the permissions of
  /// the file are unchanged.
  func expectThroughLink(
    _ verb: String, permissions: mode_t, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (file, link) = (folder.path("sample.plist"), folder.path("link"))
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "sample.plist")
    #expect(chmod(file, permissions) == 0, sourceLocation: sourceLocation)
    try expect("\(verb) link", sourceLocation: sourceLocation)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link) == "sample.plist",
      sourceLocation: sourceLocation)
    var information = stat()
    #expect(stat(file, &information) == 0, sourceLocation: sourceLocation)
    #expect(information.st_mode & 0o777 == permissions, sourceLocation: sourceLocation)
  }

  /// The XML of a value.
  func xml(_ value: PlistValue) throws -> String {
    String(decoding: try Plist.write(value, as: .xml), as: UTF8.self)
  }
}
