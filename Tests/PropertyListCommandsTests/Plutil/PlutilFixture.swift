import Foundation
import PropertyList
import TestSupport
import Testing

/// A folder with a property list in it, in which plutil runs.
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

  /// Runs plutil and expects all of what it leaves behind.
  func expect(
    _ line: String, input: String = "", output: String = "", error: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      words: line.split(separator: " ").map(String.init), input: input, output: output,
      error: error, status: status, sourceLocation: sourceLocation)
  }

  /// The same for words that may be empty or have spaces in them.
  func expect(
    words: [String], input: String = "", output: String = "", error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try Plutil.run(words, in: folder, input: Data(input.utf8))
    #expect(run.text == output, sourceLocation: sourceLocation)
    #expect(run.error == error, sourceLocation: sourceLocation)
    #expect(run.status == status, sourceLocation: sourceLocation)
  }

  /// The XML of a value.
  func xml(_ value: PlistValue) throws -> String {
    String(decoding: try Plist.write(value, as: .xml), as: UTF8.self)
  }
}
