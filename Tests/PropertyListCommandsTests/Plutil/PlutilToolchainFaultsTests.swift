import Foundation
import PropertyList
import TestSupport
import Testing

/// Faults of the plutil of the Swift toolchain.
@Suite("plutil avoids faults of the toolchain's")
struct PlutilToolchainFaultsTests {
  private let fixture: PlutilFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlutilFixture()
  }

  @Test("-replace of an array's element replaces it, and inserts nothing")
  func replacedElement() throws {
    try folder.write(try fixture.xml(["a", "b"]), to: "list.plist")
    try fixture.expect("-replace 0 -string x list.plist")
    #expect(try folder.text("list.plist") == (try fixture.xml(["x", "b"])))
  }

  @Test("-append to what is no array and beyond it is an error, and no crash")
  func append() throws {
    try fixture.expect(
      "-insert list.9 -string x -append sample.plist",
      error: "sample.plist: No value at key path list.9; list has 2 elements\n",
      status: 1)
    try fixture.expect(
      "-insert list.9 -string x sample.plist",
      error: "sample.plist: index 9 is out of range: list has 2 elements\n",
      status: 1)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
  }

  @Test("-date of no date is an error, and no crash")
  func date() throws {
    try fixture.expect(
      "-insert d -date yesterday sample.plist",
      error: "plutil: -date yesterday: expected 2024-01-31T23:59:59Z, "
        + "\"2024-01-31 23:59:59 +0000\" or 2024-01-31 (see plutil -help)\n", status: 1)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
  }

  @Test("-- ends the options")
  func endOfOptions() throws {
    try folder.write(PlutilFixture.sample, to: "-o")
    try fixture.expect("-lint -- -o", output: "-o: OK\n")
    try fixture.expect("-convert binary1 -- -o")
    #expect(PlistFormat(detecting: try folder.data("-o")) == .binary)
    try fixture.expect("-remove count -- -o")
    try fixture.expect("-extract ratio raw -- -o", output: "2.500000\n")
  }

  @Test("-p prints every byte of long data that it says it prints")
  func longData() throws {
    try folder.write(try fixture.xml(.data(Data(0..<32))), to: "data.plist")
    try fixture.expect(
      "-p data.plist",
      output: "{length = 32, bytes = 0x00010203 04050607 08090a0b 0c0d0e0f ... "
        + "18191a1b 1c1d1e1f }\n")
  }

  @Test("sets are printed, and UIDs by their numbers")
  func setsAndReferences() throws {
    let value: PlistValue = ["set": .set([.uid(7)])]
    try folder.write(try Plist.write(value, as: .binary), to: "odd.plist")
    try fixture.expect(
      "-p odd.plist",
      output: """
        {
          "set" => {(
            <CFKeyedArchiverUID>{value = 7}
          )}
        }

        """)
    try fixture.expect("-type set odd.plist", output: "set\n")
  }

  @Test("an archive's UIDs are numbers in XML as well")
  func references() throws {
    try folder.write(try Plist.write(["root": .uid(7)], as: .binary), to: "archive.plist")
    try fixture.expect("-convert xml1 archive.plist")
    #expect(try folder.text("archive.plist") == (try fixture.xml(["root": .uid(7)])))
    try fixture.expect("-extract root raw archive.plist", output: "7\n")
  }

  @Test("-convert of standard input writes to standard output, and no file named -")
  func standardInput() throws {
    try fixture.expect("-convert xml1 -", input: PlutilFixture.sample, output: PlutilFixture.sample)
    #expect(try folder.names() == ["sample.plist"])
  }

  @Test("-e adds an extension to a name without one, and leaves the input alone")
  func extensions() throws {
    try folder.write(PlutilFixture.sample, to: "name")
    try fixture.expect("-convert json --lossy -e json name")
    #expect(try folder.text("name") == PlutilFixture.sample)
    #expect(try folder.names() == ["name", "name.json", "sample.plist"])
  }

  @Test("a file is replaced as a whole, and what cannot be written leaves it as it was")
  func atomicity() throws {
    try fixture.expectFullDisk("-insert 0 -string x")
  }

  @Test("binary and JSON are the same in every run", arguments: ["binary1", "json"])
  func determinism(format: String) throws {
    let runs = try (0..<4).map { _ in
      try Plutil.run(["-convert", format, "--lossy", "-o", "-", "sample.plist"], in: folder).output
    }
    #expect(Set(runs).count == 1)
  }

  @Test("keys in composed and decomposed form stay two keys")
  func normalization() throws {
    try folder.write(
      try Plist.write(["\u{E9}": "composed", "e\u{301}": "decomposed"], as: .binary),
      to: "keys.plist")
    try fixture.expect("-extract \u{E9} raw keys.plist", output: "composed\n")
    try fixture.expect("-extract e\u{301} raw keys.plist", output: "decomposed\n")
    try fixture.expect("-replace e\u{301} -string new keys.plist")
    try fixture.expect(
      "-convert json -o - keys.plist", output: "{\"e\u{301}\":\"new\",\"\u{E9}\":\"composed\"}")
  }

  @Test("keys are escaped in swift and objc")
  func literalKeys() throws {
    try folder.write(try fixture.xml([#"a"\(b)"#: 1]), to: "keys.plist")
    let swift = try Plutil.run(["-convert", "swift", "-o", "-", "keys.plist"], in: folder)
    #expect(swift.text.contains(#""a\"\\(b)" : 1,"#))
    let objectiveC = try Plutil.run(["-convert", "objc", "-o", "-", "keys.plist"], in: folder)
    #expect(objectiveC.text.contains(#"@"a\"\\(b)" : @1,"#))
  }

  @Test("-integer that is none or does not fit is an error")
  func integers() throws {
    try fixture.expect(
      "-replace count -integer five sample.plist",
      error:
        "plutil: -integer five: not an integer; expected digits, or 0x and hexadecimal digits (see plutil -help)\n",
      status: 1)
    try fixture.expect(
      "-replace count -integer 99999999999999999999 sample.plist",
      error: "plutil: -integer 99999999999999999999: the integer is out of range; expected -2^63 "
        + "to 2^64-1 (see plutil -help)\n", status: 1)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
  }

  @Test("the error for a damaged binary file names the damage")
  func damage() throws {
    var data = try Plist.write(["a": ["text"]], as: .binary)
    let text = try #require(data.range(of: Data("text".utf8)))
    data[text.lowerBound - 1] = 0x74
    try folder.write(data, to: "damaged.plist")
    try fixture.expect(
      "-lint damaged.plist",
      output: "damaged.plist: byte \(text.lowerBound - 1): the object type 0x74 is not "
        + "supported (key path a.0)\n", status: 1)
    try folder.write(data.dropLast(), to: "cut.plist")
    try fixture.expect(
      "-convert xml1 cut.plist",
      error:
        "cut.plist: byte \(data.count - 27): the trailer is malformed; the file may be cut off: expected offsets of 1 to "
        + "8 bytes that reach the offset table\n", status: 1)
  }
}
