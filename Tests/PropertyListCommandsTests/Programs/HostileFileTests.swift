import Foundation
import PropertyList
import TestSupport
import Testing

/// Files made to crash, hang or exhaust a program. In a separate process, plutil exits with status
/// 0 or 1 and one line per error, within 30 seconds and 64 MiB plus 64 times the size of the file.
@Suite("plutil on hostile files")
struct HostileFileTests {
  static let files: [(String, Data)] = {
    func text(_ text: String) -> Data { Data(text.utf8) }
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    func bigEndian(_ number: UInt64, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    /// A binary document of these objects, with references and offsets of four bytes.
    func binary(_ objects: [[UInt8]]) -> Data {
      var bytes = Array("bplist00".utf8)
      var table: [UInt8] = []
      for object in objects {
        table += bigEndian(UInt64(bytes.count), 4)
        bytes += object
      }
      let offset = bytes.count
      bytes += table + [0, 0, 0, 0, 0, 0, 4, 4] + bigEndian(UInt64(objects.count), 8)
      return Data(bytes + bigEndian(0, 8) + bigEndian(UInt64(offset), 8))
    }

    var entities = "<!DOCTYPE plist [<!ENTITY a0 \"ha\">"
    for level in 1...30 {
      entities += "<!ENTITY a\(level) \"\(repeated("&a\(level - 1);", 10))\">"
    }
    let manyKeys = (0..<50_000).map { "<key>\($0 * 7919 % 50_000)</key><true/>" }.joined()
    return [
      ("deep arrays", text("<plist>" + repeated("<array>", 100_000))),
      ("deep dictionaries", text("<plist>" + repeated("<dict><key>a</key>", 100_000))),
      ("deep unknown elements", text(repeated("<foo>", 100_000))),
      ("deep strings", text(repeated("<string>", 100_000))),
      (
        "100,000 attributes",
        text("<plist><dict " + (0..<100_000).map { "a\($0)='>'" }.joined(separator: " ") + "/>")
      ),
      (
        "100,000 namespaces",
        text("<plist " + (0..<100_000).map { "xmlns:a\($0)='b'" }.joined(separator: " ") + "/>")
      ),
      ("a long name", text("<" + repeated("a", 1_000_000))),
      ("a long comment", text("<!--" + repeated("a", 1_000_000))),
      ("a long target", text("<?" + repeated("a", 1_000_000))),
      ("a long DOCTYPE", text("<!DOCTYPE plist PUBLIC \"" + repeated("a", 1_000_000))),
      ("a long attribute", text("<plist version=\"" + repeated("a", 1_000_000))),
      ("a long number", text("<plist><integer>" + repeated("9", 1_000_000) + "</integer></plist>")),
      ("a long real", text("<plist><real>" + repeated("9", 1_000_000) + "</real></plist>")),
      ("a long date", text("<plist><date>" + repeated("9", 1_000_000) + "</date></plist>")),
      ("a long string", text("<plist><string>" + repeated("a&#1;", 300_000) + "</string></plist>")),
      ("an entity bomb", text(entities + "]><plist><string>&a30;</string></plist>")),
      ("unending CDATA", text("<plist><string><![CDATA[" + repeated("a", 1_000_000))),
      ("many keys", text("<plist><dict>" + manyKeys + "</dict></plist>")),
      (
        "equal keys below a long path",
        text(
          "<plist>" + repeated("<dict><key>\(repeated("k", 200))</key>", 500) + "<dict>"
            + repeated("<key>a</key><true/>", 50_000) + "</dict>" + repeated("</dict>", 500)
            + "</plist>")
      ),
      (
        "many empty arrays",
        text("<plist><array>" + repeated("<array/>", 100_000) + "</array></plist>")
      ),
      ("deep old style", text(repeated("(", 1_000_000))),
      ("deep old-style dictionaries", text(repeated("{a=", 500_000))),
      ("equal old-style keys", text("{" + repeated("a=b;", 500_000) + "}")),
      ("an unending old-style string", text("\"" + repeated("\\U", 500_000))),
      ("an unending comment", text("/*" + repeated("/*", 500_000))),
      ("long old-style data", text("<" + repeated("0", 1_000_001) + ">")),
      (
        "a bomb of shared arrays",
        binary(
          (1...63).map { [0xA2] + bigEndian(UInt64($0), 4) + bigEndian(UInt64($0), 4) } + [[0x50]])
      ),
      (
        "a bomb just below the limit",
        binary(
          (1...24).map { [0xA2] + bigEndian(UInt64($0), 4) + bigEndian(UInt64($0), 4) } + [[0x50]])
      ),
      (
        "deep binary arrays",
        binary((1...100_000).map { [0xA1] + bigEndian(UInt64($0), 4) } + [[0xA0]])
      ),
      (
        "a binary array of 100,000 arrays",
        binary(
          [
            [0xAF, 0x12] + bigEndian(100_000, 4)
              + (1...100_000).flatMap { bigEndian(UInt64($0), 4) }
          ]
            + Array(repeating: [0xA0], count: 100_000))
      ),
      (
        "a long string named 100,000 times",
        binary([
          [0xAF, 0x12] + bigEndian(100_000, 4)
            + repeatElement(bigEndian(1, 4), count: 100_000).joined(),
          [0x5F, 0x12] + bigEndian(1_000_000, 4) + repeatElement(0x61, count: 1_000_000),
        ])
      ),
      (
        "equal binary keys",
        binary([
          [0xDF, 0x12] + bigEndian(100_000, 4)
            + repeatElement(bigEndian(1, 4), count: 200_000).joined(),
          [0x51, 0x61],
        ])
      ),
      (
        "one long key 200,000 times",
        binary([
          [0xDF, 0x12] + bigEndian(200_000, 4)
            + repeatElement(bigEndian(1, 4) + bigEndian(1, 4), count: 200_000).joined(),
          [0x5F, 0x12] + bigEndian(2_000_000, 4) + repeatElement(0x61, count: 2_000_000),
        ])
      ),
      (
        "a long key around many equal ones",
        text(
          "<plist><dict><key>\(repeated("k", 2_000_000))</key><dict>"
            + repeated("<key>a</key><true/>", 1_100) + "</dict></dict></plist>")
      ),
      ("the earliest date", binary([[0x33, 0xC3, 0xE0, 0, 0, 0, 0, 0, 0]])),
      ("a cycle", binary([[0xA1, 0, 0, 0, 1], [0xA1, 0, 0, 0, 0]])),
      ("a count of 2^63", binary([[0xAF, 0x13] + bigEndian(1 << 63, 8)])),
    ]
  }()

  @Test("ends in bounded time and memory", arguments: files)
  func bounded(name: String, data: Data) throws {
    let folder = try TemporaryFolder()
    try folder.write(data, to: "hostile")
    let (run, peakMemory) = try Plutil.measure(["-lint", "hostile"], in: folder)
    #expect(run.status == 0 || run.status == 1)
    // Unbounded work takes minutes; a lower limit would fail on a busy machine.
    #expect(run.seconds < 30)
    #expect(peakMemory <= 64 << 20 + 64 * data.count)
    if run.status == 1 {
      #expect(run.text == "")
      #expect(run.error.hasPrefix("hostile: "))
      #expect(run.error.split(separator: "\n").count == 1)
    } else {
      #expect(run.text == "hostile: OK\n")
      #expect(run.error.split(separator: "\n").count <= 1000)
    }
    #expect(try folder.data("hostile") == data)
  }

  @Test("leaves the file alone, or converted, whatever the command", arguments: files)
  func commands(name: String, data: Data) throws {
    let folder = try TemporaryFolder()
    try folder.write(data, to: "hostile")
    let isReadable = try Plutil.run(["-s", "-lint", "hostile"], in: folder).status == 0
    // A value of millions of shared parts takes long to print.
    if name == "a bomb just below the limit" { return }
    for command in [
      ["-p"], ["-type", "a.b"], ["-extract", "", "raw"], ["-convert", "xml1", "-o", "-"],
      ["-convert", "swift", "-o", "-"], ["-convert", "objc", "-o", "-"], ["-remove", "a.b"],
    ] {
      let run = try Plutil.run(command + ["hostile"], in: folder)
      #expect(run.status == 0 || run.status == 1)
      #expect(isReadable || run.status == 1)
      #expect(try folder.data("hostile") == data)
    }
    let run = try Plutil.run(["-s", "-convert", "binary1", "hostile"], in: folder)
    #expect(run.status == (isReadable ? 0 : 1))
    #expect(try isReadable || folder.data("hostile") == data)
    #expect(try folder.names() == ["hostile"])
  }

  @Test("a list of shared containers is converted without being refused or blown up in memory")
  func sharedConversion() throws {
    let folder = try TemporaryFolder()
    let value: PlistValue = ["a": .array(Array(repeating: ["k": "v"], count: 1000))]
    try folder.write(try Plist.write(value, as: .binary), to: "shared")
    #expect(try Plutil.run(["-convert", "xml1", "shared"], in: folder).status == 0)
    #expect(try Plist.read(folder.data("shared")).value == value)
  }
}
