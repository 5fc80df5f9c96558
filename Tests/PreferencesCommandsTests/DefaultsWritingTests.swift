import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("defaults, writing")
struct DefaultsWritingTests {
  private let defaults: Defaults
  private var folder: TemporaryFolder { defaults.folder }

  init() throws {
    defaults = try Defaults()
  }

  @Test("write parses values by their types", arguments: types)
  func type(words: [String], value: PlistValue) throws {
    try defaults.expect(words: ["write", "D", "k"] + words)
    #expect(try defaults.value(of: "user/D.plist") == ["k": value])
  }

  @Test("write leaves a domain unchanged if a value is malformed", arguments: malformedValues)
  func malformedValue(words: [String], error: String) throws {
    try defaults.expect("write", "D", "{ k = (a); }")
    let before = try folder.data("user/D.plist")
    try defaults.expect(words: ["write", "D", "k"] + words, error: error + "\n", status: 1)
    #expect(try folder.data("user/D.plist") == before)
  }

  @Test(
    "write names the type of a malformed value",
    arguments: [["-bool", "maybe"], ["-data", "0"], ["-data", "0x00"], ["-date", "today"]])
  func mistypedValue(words: [String]) throws {
    let run = try defaults.run(["write", "D", "k"] + words)
    #expect(run.error.hasPrefix("\(words[0]) \(words[1]): "))
    #expect(run.error.hasSuffix("; leaving defaults unchanged.\n"))
    #expect(run.status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("user/D.plist")))
  }

  @Test("write warns of a key that is the name of a type")
  func keyLikeType() throws {
    try defaults.expect(
      "write", "D", "-bool", "true",
      error: "defaults: warning: the key is -bool, which is also the name of a type; "
        + "is the key missing?\n")
    try defaults.expect("read", "D", "-bool", output: "true\n")
  }

  @Test("-array-add only adds to arrays")
  func addingToText() throws {
    try defaults.expect("write", "D", "s", "text")
    let before = try folder.data("user/D.plist")
    try defaults.expect(
      "write", "D", "s", "-array-add", "a",
      error: "Value for key s is not an array; cannot append.  Leaving defaults unchanged.\n",
      status: 1)
    #expect(try folder.data("user/D.plist") == before)
  }

  @Test("-array-add and -dict-add add to existing containers")
  func adding() throws {
    try defaults.expect("write", "D", "a", "-array", "1", "2")
    try defaults.expect("write", "D", "a", "-array-add", "-int", "3", "4")
    try defaults.expect("read", "D", "a", output: "(\n    1,\n    2,\n    3,\n    4\n)\n")
    try defaults.expect("write", "D", "d", "-dict", "a", "1", "b", "2")
    try defaults.expect("write", "D", "d", "-dict-add", "b", "3", "c", "4")
    try defaults.expect("read", "D", "d", output: "{\n    a = 1;\n    b = 3;\n    c = 4;\n}\n")
  }

  @Test("write with a dictionary replaces the domain")
  func replacing() throws {
    try defaults.expect("write", "D", "a", "1")
    try defaults.expect("write", "D", "{ b = 2; }")
    try defaults.expect("read", "D", output: "{\n    b = 2;\n}\n")
    let error = "Rep argument is not a dictionary\nDefaults have not been changed.\n"
    try defaults.expect("write", "D", "(1)", error: error, status: 1)
    try defaults.expect("write", "D", "text", error: error, status: 1)
    try defaults.expect(
      "write", "D", "{ b = ", error: "Could not parse: { b = .  Try single-quoting it.\n", status: 1
    )
    try defaults.expect("read", "D", output: "{\n    b = 2;\n}\n")
  }

  @Test(
    "a domain in a missing folder is reported with the reason",
    arguments: [
      ["write", "./none/D", "k", "v"], ["write", "./none/D", "{ k = v; }"],
      ["import", "./none/D", "-"],
    ])
  func missingFolder(words: [String]) throws {
    try defaults.expect(
      words: words, input: "{ k = v; }",
      error: """
        Could not write domain ./none/D; exiting
        ./none/D.plist: cannot open: No such file or directory

        """, status: 1)
    #expect(try folder.names() == ["system", "user"])
  }

  @Test("a domain that cannot be written is reported with the reason")
  func unwritable() throws {
    try FileManager.default.removeItem(atPath: folder.path("user"))
    try folder.write("", to: "user")
    let run = try defaults.run(["write", "D", "k", "v"])
    #expect(run.error.hasPrefix("Could not write domain D; exiting\n\(folder.path)/user/D.plist: "))
    #expect(run.error.hasSuffix(": Not a directory\n"))
    #expect(run.status == 1)
    #expect(try folder.names() == ["system", "user"])
  }

  @Test("no lock file is left beside a file that is named by its path")
  func lockFileOfPath() throws {
    for words in [
      ["write", "./A", "a", "1"], ["rename", "./A", "a", "b"], ["import", "./A", "-"],
      ["write", "./A", "{ c = 1; }"], ["delete", "./A"],
    ] {
      try defaults.expect(words: words, input: "{ d = 1; }")
      #expect(try folder.names() == ["A.plist", "system", "user"])
    }
    try folder.write("", to: ".A.plist.lock")
    try defaults.expect("write", "./A", "a", "1")
    #expect(try folder.names() == ["A.plist", "system", "user"])
  }

  @Test("the lock file of a domain stays as long as the file of the domain")
  func lockFileOfDomain() throws {
    try defaults.expect("write", "D", "a", "1")
    #expect(try folder.names("user") == [".D.plist.lock", "ByHost", "D.plist"])
    try FileManager.default.removeItem(atPath: folder.path("user/D.plist"))
    try defaults.expect("write", "D", "{}")
    #expect(try folder.names("user") == ["ByHost"])
    try defaults.expect("import", "E", "-", input: "{}")
    #expect(try folder.names("user") == ["ByHost"])
  }

  @Test("rename moves a value")
  func rename() throws {
    try defaults.expect("write", "D", "a", "-int", "5")
    try defaults.expect("rename", "D", "a", "b")
    try defaults.expect("read", "D", output: "{\n    b = 5;\n}\n")
    try defaults.expect("rename", "D", "b", "b")
    try defaults.expect("read-type", "D", "b", output: "Type is integer\n")
    try defaults.expect(
      "rename", "D", "a", "c",
      error: "Key a does not exist in domain D; leaving defaults unchanged\n", status: 1)
    try defaults.expect(
      "rename", "E", "a", "c",
      error: "Key a does not exist in domain E; leaving defaults unchanged\n", status: 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("user/.E.plist.lock")))
  }

  @Test("delete removes a value or a domain")
  func delete() throws {
    let missing = "Domain (D) not found.\nDefaults have not been changed.\n"
    try defaults.expect("delete", "D", error: missing, status: 1)
    try defaults.expect("write", "D", "{ a = 1; b = 2; }")
    try defaults.expect(
      "delete", "D", "c",
      error: "The domain/default pair of (D, c) does not exist\nDefaults have not been changed.\n",
      status: 1)
    try defaults.expect("delete", "D", "a")
    try defaults.expect("read", "D", output: "{\n    b = 2;\n}\n")
    try defaults.expect("remove", "D")
    try defaults.expect("read", "D", error: "Domain D does not exist\n", status: 1)
    try defaults.expect("delete", "D", error: missing, status: 1)
    try defaults.expect("domains", output: "\n")
  }

  @Test("delete-all also removes from the preferences of this host")
  func deleteAll() throws {
    let missing = "Domain (D) not found.\nDefaults have not been changed.\n"
    try defaults.expect("delete-all", "D", error: missing, status: 1)
    try defaults.expect("write", "D", "{ a = 1; b = 2; }")
    try defaults.expect("-currentHost", "write", "D", "{ a = 1; c = 3; }")
    try defaults.expect("-host", "other", "write", "D", "a", "1")
    try folder.write("{ a = 5; }", to: "user/ByHost/D..plist")
    try defaults.expect("delete-all", "D", "a")
    try defaults.expect("read", "D", output: "{\n    b = 2;\n}\n")
    try defaults.expect("-currentHost", "read", "D", output: "{\n    c = 3;\n}\n")
    try defaults.expect("-host", "other", "read", "D", output: "{\n    a = 1;\n}\n")
    #expect(try defaults.value(of: "user/ByHost/D..plist") == [:])
    try defaults.expect(
      "delete-all", "D", "a",
      error: "The domain/default pair of (D, a) does not exist\nDefaults have not been changed.\n",
      status: 1)
    try defaults.expect("delete-all", "D")
    try defaults.expect("-currentHost", "read", "D", error: "Domain D does not exist\n", status: 1)
    try defaults.expect("delete-all", "D", error: missing, status: 1)
  }

  // MARK: Processes

  @Test("no concurrent write is lost")
  func concurrency() throws {
    let run = try defaults.shell(
      """
      for i in {1..24}; do $DEFAULTS write D k$i -int $i & done
      for i in {1..24}; do $DEFAULTS write D list -array-add -int $i & done
      wait
      """)
    #expect(run.error == "")
    guard case .dictionary(let domain) = try defaults.value(of: "user/D.plist"),
      case .array(let list)? = domain["list"]
    else {
      Issue.record("no list")
      return
    }
    #expect(domain.count == 25)
    for number in 1...24 { #expect(domain["k\(number)"] == .integer(Int64(number))) }
    #expect(Set(list) == Set((1...24).map { .integer($0) }))
    #expect(list.count == 24)
  }
}
