import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -p, parts and details")
struct PlutilPrintTests {
  private let fixture: PlutilFixture

  init() throws {
    fixture = try PlutilFixture()
  }

  @Test("prints the value at a key path, in all formats")
  func at() throws {
    try fixture.expect(
      words: ["-p", "-at", "list.0", "sample.plist"], output: "{\n  \"a.b\" => \"deep\"\n}\n")
    try fixture.expect(
      words: ["-p", "-at", #"list.0.a\.b"#, "sample.plist"], output: "\"deep\"\n")
    let value = try Plist.read(fixture.folder.data("sample.plist")).value
    try fixture.folder.write(Plist.write(value, as: .binary), to: "b.plist")
    try fixture.expect("-p -at list.1 b.plist", output: "true\n")
    try fixture.expect(
      "-p -at list.2 b.plist",
      error:
        "b.plist: Could not extract value, error: No value at that key path or invalid key path: list.2; list has no element 2\n",
      status: 1)
    try fixture.folder.write(#"{"a": [1, {}]}"#, to: "j")
    try fixture.expect("-p -at a j", output: "[\n  0 => 1\n  1 => {\n  }\n]\n")
  }

  @Test("prints containers down to a depth")
  func depth() throws {
    try fixture.expect("-p -depth 0 sample.plist", output: "{…} (5 keys)\n")
    try fixture.expect(
      "-p -depth 1 sample.plist",
      output: """
        {
          "count" => -5
          "data" => {length = 4, bytes = 0x01020304}
          "list" => […] (2 elements)
          "ratio" => 2.5
          "when" => 2024-01-02 03:04:05 +0000
        }

        """)
    try fixture.folder.write("[[], {}, [1]]", to: "j")
    try fixture.expect(
      "-p -depth 1 j", output: "[\n  0 => []\n  1 => {}\n  2 => […] (1 element)\n]\n")
    for text in ["x", "-1"] {
      try fixture.expect(
        words: ["-p", "-depth", text, "sample.plist"],
        error:
          "plutil: -depth needs a number of levels, such as 2; found \(text) (see plutil -help)\n",
        status: 1)
    }
  }

  @Test("prints the lines of keys and elements")
  func lines() throws {
    try fixture.expect(
      "-p -lines sample.plist",
      output: #"""
         4  {
         5    "count" => -5
         7    "data" => {length = 4, bytes = 0x01020304}
        11    "list" => [
        13      0 => {
        14        "a.b" => "deep"
                }
        17      1 => true
              ]
        19    "ratio" => 2.5
        21    "when" => 2024-01-02 03:04:05 +0000
            }

        """#)
    try fixture.expect("-p -lines -at ratio sample.plist", output: "19  2.5\n")
    try fixture.folder.write("{\na = (\nb);}", to: "o")
    try fixture.expect(
      "-p -lines o", output: "1  {\n2    \"a\" => [\n3      0 => \"b\"\n     ]\n   }\n")
    // A binary property list has none.
    try fixture.folder.write(Plist.write([true], as: .binary), to: "b")
    try fixture.expect("-p -lines b", output: "[\n  0 => true\n]\n")
  }

  @Test("prints all bytes of data")
  func full() throws {
    let data = Data(0..<40)
    try fixture.folder.write(Plist.write(["d": .data(data)], as: .xml), to: "x")
    let digits = data.map { String(format: "%02x", $0) }.joined()
    try fixture.expect(
      "-p -full x", output: "{\n  \"d\" => {length = 40, bytes = 0x\(digits)}\n}\n")
  }

  @Test("prints property lists in data, also in one another")
  func expand() throws {
    let inner = try Plist.write(["k": [1]], as: .binary)
    let middle = try Plist.write(["inner": .data(inner)], as: .xml)
    try fixture.folder.write(
      Plist.write(["d": .data(middle), "e": .data(Data("bplist00".utf8))], as: .binary), to: "b")
    try fixture.expect(
      "-p -expand b",
      output: """
        {
          "d" => {length = \(middle.count), property list (XML)} =>
            {
              "inner" => {length = \(inner.count), property list (binary)} =>
                {
                  "k" => [
                    0 => 1
                  ]
                }
            }
          "e" => {length = 8, bytes = 0x62706c6973743030}
        }

        """)
    try fixture.expect(
      "-p -expand -at d.inner b",
      error:
        "b: Could not extract value, error: No value at that key path or invalid key path: d.inner; d is data\n",
      status: 1)
    // A property list in data ends nested property lists at some point.
    var data = inner
    for _ in 0..<12 { data = try Plist.write(.data(data), as: .binary) }
    try fixture.folder.write(data, to: "n")
    let run = try Plutil.run(["-p", "-expand", "n"], in: fixture.folder)
    #expect(run.status == 0)
    #expect(run.text.split(separator: "\n").count == 9)
  }
}
