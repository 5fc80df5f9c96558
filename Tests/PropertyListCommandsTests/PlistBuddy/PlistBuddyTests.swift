import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("PlistBuddy's commands")
struct PlistBuddyTests {
  private let fixture: PlistBuddyFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlistBuddyFixture()
  }

  /// The sample with other values; nil removes one.
  private func sample(_ changes: [String: PlistValue?]) -> PlistValue {
    var sample = PlistBuddyFixture.sample
    for (key, value) in changes { sample[key] = value }
    return .dictionary(sample)
  }

  // MARK: Print

  @Test("Print shows everything in the order of the document")
  func print() throws {
    try fixture.expect(
      "Print",
      output: """
        Dict {
            name = Larder
            count = 5
            ratio = 3.500000
            on = true
            when = Mon Jan 01 00:00:00 UTC 2024
            raw = bytes
            list = Array {
                a
                b
            }
            a:b = Dict {
                c d = deep
            }
        }

        """)
  }

  @Test("an entry may contain quotes and escapes", arguments: entries)
  func entry(command: String, output: String) throws {
    try fixture.expect(command, output: output)
  }

  @Test("Print shows values of all types, and reals exactly", arguments: kinds)
  func kind(value: PlistValue, text: String) throws {
    try folder.write(try Plist.write(value, as: .binary), to: "f.plist")
    try fixture.expect("Print", output: text + "\n")
  }

  @Test("strings and data are written to a pipe unescaped")
  func rawOutput() throws {
    let bytes = Data([0, 0x1B, 0xFF, 0x0A])
    let value: PlistValue = ["d": .data(bytes), "s": "\u{1B}[m"]
    try folder.write(try Plist.write(value, as: .binary), to: "f.plist")
    let data = try PlistBuddyProgram.run(["-c", "Print :d", "f.plist"], in: folder)
    #expect(data.output == bytes + Data("\n".utf8))
    try fixture.expect("Print :s", output: "\u{1B}[m\n")
  }

  @Test("-x prints XML")
  func printXML() throws {
    let run = try PlistBuddyProgram.run(["-x", "-c", "Print :list", "f.plist"], in: folder)
    let xml = try Plist.write(["a", "b"], as: .xml)
    #expect(run.output == xml)
    #expect(run.error == "")
    #expect(run.status == 0)
    try folder.write(try Plist.write([.null], as: .binary), to: "f.plist")
    let null = try PlistBuddyProgram.run(["f.plist", "-c", "Print", "-x"], in: folder)
    null.expect(error: "Print: XML cannot represent null (key path 0)\n", status: 1)
  }

  // MARK: Set

  @Test("Set keeps the type", arguments: settings)
  func set(command: String, key: String, value: PlistValue) throws {
    try fixture.expect(command, value: sample([key: value]))
  }

  // MARK: Add, Delete, Copy

  @Test("Add and Copy insert entries and their parents, Delete removes", arguments: additions)
  func change(command: String, key: String, value: PlistValue) throws {
    try fixture.expect(command, value: sample([key: value]))
  }

  @Test("a new dictionary entry is the last to be printed, and the keys are written in order")
  func order() throws {
    try fixture.expect(
      "Clear", "Add :b string 1", "Add :a string 2", "Print",
      output: "Initializing Plist...\nDict {\n    b = 1\n    a = 2\n}\n",
      value: ["a": "2", "b": "1"])
    try fixture.expect("Print", output: "Dict {\n    a = 2\n    b = 1\n}\n")
  }

  @Test("Delete removes a key, and the rest keeps its order")
  func delete() throws {
    try fixture.expect(
      "Delete :list:1", "Delete :name", value: sample(["list": ["a"], "name": nil]))
  }

  @Test("containers cannot be nested deeper than in documents")
  func depth() throws {
    let path = String(repeating: ":k", count: 300)
    try fixture.expect(
      "Add \(String(repeating: ":k", count: 513)) string x",
      error:
        #"Add: Entry, "\#(String(repeating: ":k", count: 513))", Would Be Nested Deeper Than 512 Levels"#
        + "\n")
    let run = try PlistBuddyProgram.run(
      [
        "-c", "Add \(path) dict", "-c", "Copy :k \(path):k", "-c", "Copy :k \(path):k:k",
        "-c", "Add \(String(repeating: ":l", count: 512)) string x",
        "-c", "Add \(String(repeating: ":m", count: 512)) dict", "f.plist",
      ], in: folder)
    run.expect(
      error: """
        Copy: Entry, "\(path):k", Would Be Nested Deeper Than 512 Levels
        Copy: Entry, "\(path):k:k", Would Be Nested Deeper Than 512 Levels
        Add: Entry, "\(String(repeating: ":m", count: 512))", Would Be Nested Deeper Than 512 Levels

        """, status: 1)
    let value = try Plist.read(folder.data("f.plist")).value
    #expect(
      value[PlistKeyPath(components: Array(repeating: "l", count: 512))] == "x")
    #expect(value[PlistKeyPath(components: Array(repeating: "k", count: 300))] == [:])
  }

  // MARK: Merge, Import, Clear, CD

  @Test("Merge adds keys that are not there, elements, and single values to an array")
  func merge() throws {
    try folder.write("{ name = other; extra = 1; }", to: "more.plist")
    try folder.write("( c )", to: "list.plist")
    try folder.write(try Plist.write(7, as: .xml), to: "number.plist")
    try folder.write("hello", to: "word")
    let run = try PlistBuddyProgram.run(
      [
        "-c", "Merge more.plist", "-c", "Merge list.plist :list", "-c", "Merge number.plist :list:",
        "-c", "Merge more.plist :new", "-c", "Add :new dict", "-c", "Merge more.plist :new",
        "-c", "CD :new", "-c", "Delete name", "-c", "Merge more.plist", "f.plist",
      ], in: folder)
    run.expect(
      output: """
        Duplicate Entry Was Skipped: name
        Duplicate Entry Was Skipped: extra

        """,
      error: """
        Merge: ":new" Entry Does Not Exist

        """, status: 1)
    let merged = sample([
      "extra": "1", "list": ["a", "b", "c", 7], "new": ["name": "other", "extra": "1"],
    ])
    #expect(try Plist.read(folder.data("f.plist")).value == merged)

    try fixture.expect(
      "Merge more.plist",
      output: """
        Duplicate Entry Was Skipped: name
        Duplicate Entry Was Skipped: extra

        """)
    try fixture.expect(
      "Merge list.plist", "Merge number.plist", "Merge word :list",
      error: """
        Merge: Can't Add array Entries to dict
        PlistBuddy: command 1 of 3 (Merge list.plist) failed
        Merge: Can't Add an integer to dict
        PlistBuddy: command 2 of 3 (Merge number.plist) failed
        word: the file is a single word, which may not be a property list
        Merge: Error Reading File: word
        PlistBuddy: command 3 of 3 (Merge word) failed

        """)
  }

  @Test("Merge -r also merges the containers that both have")
  func recursiveMerge() throws {
    try folder.write(
      "{ d = { e = { new = 1; old = 2; }; list = ( c ); kind = ( ); }; name = x; }",
      to: "more.plist")
    try folder.write(
      "{ d = { e = { old = 0; }; list = ( a, b ); kind = { }; }; name = y; }", to: "f.plist")
    let skipped = """
      Duplicate Entry Was Skipped: old
      Duplicate Entry Was Skipped: kind
      Duplicate Entry Was Skipped: name

      """
    try fixture.expect(
      "Merge -r more.plist", output: skipped,
      value: [
        "d": ["e": ["old": "0", "new": "1"], "list": ["a", "b", "c"], "kind": [:]], "name": "y",
      ])
    try fixture.expect(
      "Delete :d:list", "merge -R more.plist :d:e",
      value: [
        "d": [
          "e": [
            "old": "0", "new": "1",
            "d": ["e": ["new": "1", "old": "2"], "list": ["c"], "kind": []], "name": "x",
          ], "kind": [:],
        ], "name": "y",
      ])
  }

  @Test("Import takes the bytes of a file")
  func importFile() throws {
    try folder.write(Data([0, 1, 0xFF]), to: "some bytes")
    let data = PlistValue.data(Data([0, 1, 0xFF]))
    try fixture.expect(
      "Import :name 'some bytes'", "Import :new:x \"some bytes\"", #"Import :list: some\ bytes"#,
      "Import :list:0 'some bytes'",
      value: sample(["name": data, "new": ["x": data], "list": [data, "b", data]]))
  }

  @Test(
    "Clear replaces everything by an empty value of a type",
    arguments: [
      ("", [:]), ("dict", [:]), ("array", []), ("string", ""), ("bool", false), ("integer", 0),
      ("real", 0.0), ("data", .data(Data())),
    ] as [(String, PlistValue)])
  func clear(type: String, value: PlistValue) throws {
    try fixture.expect(
      "CD :list", "Clear \(type)", "Print",
      output: "Initializing Plist...\n" + Self.printed(value), value: value)
  }

  private static func printed(_ value: PlistValue) -> String {
    switch value {
    case .dictionary: "Dict {\n}\n"
    case .array: "Array {\n}\n"
    case .boolean: "false\n"
    case .integer: "0\n"
    case .real: "0.000000\n"
    default: "\n"
    }
  }

  @Test("CD chooses the working container, at which entries without a colon start")
  func changeCurrent() throws {
    try fixture.expect(
      #"CD :a\:b"#, "Print", "Print 'c d'", "Print :name", "CD", "Print name", "CD list:",
      "Print 1",
      output: "Dict {\n    c d = deep\n}\ndeep\nLarder\nLarder\nb\n")
  }

  static let deletions = [("CD :d:list:1", "Delete :d:list:1"), ("CD :d:list:1:k", "rm :d")]

  @Test("when the working container is deleted, the root takes its place", arguments: deletions)
  func deletedContainer(enter: String, delete: String) throws {
    try folder.write("{ d = { list = ( a, { k = { x = 1; }; } ); }; x = 2; }", to: "f.plist")
    let run = try PlistBuddyProgram.run(
      ["-c", enter, "-c", delete, "-c", "Print x", "f.plist"], in: folder)
    run.expect(output: "Working Container has become Invalid.  Setting to :\n2\n")
  }

  @Test("the working container stays the same when elements before it come and go")
  func movedContainer() throws {
    try folder.write("( { x = a; }, { x = b; }, { x = c; } )", to: "f.plist")
    try fixture.expect(
      "CD :1", "Add :0 string new", "Print x", "Delete :1", "Delete :0", "Print x", "Delete :1",
      "Add : string last", "Print x", "Add : dict", "Print :2",
      output: "b\nb\nb\nDict {\n}\n", value: [["x": "b"], "last", [:]])
  }

  @Test("a key may be empty, a number, or hold colons, quotes and backslashes")
  func oddKeys() throws {
    let value: PlistValue = ["": ["": 1], "0": 2, ":": 3, "\"'\\": 4]
    try folder.write(try Plist.write(value, as: .xml), to: "f.plist")
    try fixture.expect(
      #"Print :\"#, #"Print ::"#, "Print :0", #"Print :\:"#, #"Print :\"\'\\"#,
      output: "Dict {\n     = 1\n}\n1\n2\n3\n4\n")
  }
}
