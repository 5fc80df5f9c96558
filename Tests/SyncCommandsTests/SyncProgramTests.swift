import Foundation
import TestSupport
import Testing

@Suite("defaults sync")
struct SyncProgramTests {
  private let defaults = BuiltProgram("defaults")

  @Test("runs the program beside defaults with all words")
  func program() throws {
    let folder = try TemporaryFolder()
    let version = try BuiltProgram("defaults-sync").run(["--version"], in: folder)
    #expect(version.text.hasPrefix("defaults-sync (Larder) "))
    for words in [["sync", "--version"], ["SYNC", "--version"]] {
      try defaults.expect(words, in: folder, output: version.text)
    }
    let help = try BuiltProgram("defaults-sync").run(["--help"], in: folder)
    try defaults.expect(["sync", "--help"], in: folder, output: help.text)
    try defaults.expect(
      ["sync", "push", "--config"], in: folder,
      error: "defaults-sync: --config needs a path (see defaults-sync -help)\n", status: 2)
    try defaults.expect(
      ["-currentHost", "sync"], in: folder,
      error: "defaults: -currentHost cannot be used with sync (see defaults help)\n", status: 1)
  }

  @Test("finds the program in PATH, and says what to install if it is missing")
  func path() throws {
    let folder = try TemporaryFolder()
    try defaults.copy(to: "defaults", in: folder)
    var alone = BuiltProgram("defaults")
    alone.environment = ["PATH": "/nowhere:\(folder.path("bin"))"]
    let missing = "defaults: defaults-sync is not installed; it is in the package larder-sync\n"
    let run = { try alone.run(folder.path("defaults"), ["sync", "a b", "-c"], in: folder) }
    try run().expect(error: missing, status: 1)
    try folder.makeFolder("bin")
    try folder.writeScript("#!/bin/sh\nprintf '%s|' \"$@\"; exit 3\n", to: "bin/defaults-sync")
    chmod(folder.path("bin/defaults-sync"), 0o644)
    try run().expect(error: missing, status: 1)
    chmod(folder.path("bin/defaults-sync"), 0o755)
    try run().expect(output: "a b|-c|", status: 3)
  }

  @Test("completes command lines of the program")
  func completion() throws {
    let folder = try TemporaryFolder()
    let run = try defaults.run(["--candidates", "sync", ""], in: folder)
    #expect(
      run.text.split(separator: "\n") == [
        "words", "status", "push", "pull", "watch", "run", "doctor",
      ])
    let options = try defaults.run(["--candidates", "sync", "doctor", "-"], in: folder)
    #expect(options.text.contains("\n--json\n"))
  }

  @Test(
    "publishes nothing in place of a property list that is missing",
    arguments: ["\n", " \t", "// { }\n/* <dict/> */"])
  func blank(input: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("{ endpoints = (\"http://127.0.0.1:1\"); managed = (d); }", to: "sync.plist")
    chmod(folder.path("sync.plist"), 0o644)
    let run = try BuiltProgram("defaults-sync").run(
      ["push", "--managed", "d", "-", "--config", "sync.plist"], in: folder,
      input: Data(input.utf8))
    run.expect(
      error:
        "<stdin>: there is no property list, only white space or comments; nothing was published\n",
      status: 1)
  }

  /// A policy, and what is said of it.
  struct Policy: CustomTestStringConvertible {
    var testDescription: String
    var words: [String] = []
    var domain = "org.example.editor"
    var text: String
    var error: String
    var isPublished = false
  }

  private static let findings = """
    policy.plist: warning: line 4: unknown key; did you mean theme? (key path them)
    policy.plist: line 2: expected 1 to 16 (key path tabWidth)
    policy.plist: line 3: expected "light" or "dark" (key path theme)
    policy.plist: line 5: expected a text that matches the pattern ^t- (key path token)

    """
  private static let wrong = """
    {
      "tabWidth": 40,
      "theme": "blue",
      "them": "light",
      "token": "secret"
    }
    """
  private static let refusal = "Nothing was published. To publish it anyway, add --force.\n"
  static let policies = [
    Policy(testDescription: "wrong values", text: wrong, error: findings + refusal),
    Policy(
      testDescription: "wrong values with --force", words: ["--force"], text: wrong,
      error: findings, isPublished: true),
    Policy(
      testDescription: "an unknown key", text: "{ \"them\": \"x\" }",
      error: "policy.plist: warning: line 1: unknown key; did you mean theme? (key path them)\n",
      isPublished: true),
    Policy(
      testDescription: "right values", text: "{ tabWidth = 4; theme = dark; }", error: "",
      isPublished: true),
    Policy(
      testDescription: "a domain without a manifest", domain: "org.example.other", text: wrong,
      error: "", isPublished: true),
    Policy(
      testDescription: "a manifest that is none", domain: "org.example.damaged", text: wrong,
      error: "FOLDER/preferences/manifests/org.example.damaged.plist: not a preference manifest; "
        + "expected a dictionary with pfm_domain and pfm_subkeys\n" + refusal),
  ]

  @Test("checks managed preferences against the manifest of their domain", arguments: policies)
  func policy(_ policy: Policy) throws {
    let folder = try TemporaryFolder()
    try folder.write("{ endpoints = (\"http://127.0.0.1:1\"); managed = (d); }", to: "sync.plist")
    chmod(folder.path("sync.plist"), 0o644)
    try folder.makeFolder("preferences/manifests")
    try folder.write(
      """
      { "pfm_domain": "org.example.editor", "pfm_title": "Editor", "pfm_subkeys": [
        { "pfm_name": "tabWidth", "pfm_type": "integer", "pfm_range_min": 1, "pfm_range_max": 16 },
        { "pfm_name": "theme", "pfm_type": "string", "pfm_range_list": ["light", "dark"] },
        { "pfm_name": "token", "pfm_type": "string", "pfm_sensitive": true, "pfm_format": "^t-" }
      ] }
      """, to: "preferences/manifests/org.example.editor.plist")
    try folder.write("{}", to: "preferences/manifests/org.example.damaged.plist")
    try folder.write(policy.text, to: "policy.plist")
    var program = BuiltProgram("defaults-sync")
    program.environment = ["XDG_DATA_HOME": folder.path, "XDG_DATA_DIRS": "/nowhere"]
    let run = try program.run(
      ["push", "--managed", policy.domain, "policy.plist", "--config", "sync.plist"]
        + policy.words, in: folder)
    // There is no cluster. It is only needed for a policy that is published.
    var lines = run.error.split(separator: "\n", omittingEmptySubsequences: false)
    if policy.isPublished { lines.remove(at: lines.count - 2) }
    #expect(
      lines.joined(separator: "\n") == policy.error.replacing("FOLDER", with: folder.path))
    #expect(run.status == 1 && run.text == "")
  }

  @Test(
    "refuses to synchronize and to watch without domains", arguments: ["push", "pull", "watch"])
  func noDomains(verb: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("{ endpoints = (\"http://127.0.0.1:1\"); managed = (d); }", to: "sync.plist")
    chmod(folder.path("sync.plist"), 0o644)
    try BuiltProgram("defaults-sync").run([verb, "--config", "sync.plist"], in: folder).expect(
      error: "\(folder.path("sync.plist")): domains: there are none to synchronize\n", status: 1)
  }

  @Test(
    "says by its exit status that running it again does not help", arguments: ["run", "status"])
  func mistake(verb: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("{ endpoints = (); }", to: "sync.plist")
    chmod(folder.path("sync.plist"), 0o644)
    let run = try BuiltProgram("defaults-sync").run([verb, "--config", "sync.plist"], in: folder)
    #expect(run.status == 2)
    for unit in ["system", "user"] {
      let package = URL(filePath: #filePath).deletingLastPathComponent()
      let text = try String(
        contentsOf: package.appending(path: "../../Sources/Services/\(unit)/larder-sync.service"),
        encoding: .utf8)
      #expect(text.contains("\nRestartPreventExitStatus=2\n") && text.contains("\nMemoryMax="))
    }
  }

  static let usage: [([String], String)] = [
    ([], "no command given"),
    (["statsu"], "unrecognized command: statsu; did you mean status?"),
    (["--verbose"], "unrecognized option: --verbose"),
    (["status", "x"], "unexpected argument x; status takes none"),
    (["push", "file"], "unexpected argument file; a file needs --managed"),
    (["push", "--managed", "d"], "--managed needs a file after the domain"),
    (["push", "--force"], "--force needs --managed"),
    (["pull", "--json"], "--json cannot be used with pull"),
  ]

  @Test("reports malformed command lines", arguments: usage)
  func rejection(words: [String], message: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "{ endpoints = (\"http://127.0.0.1:1\"); domains = { d = (k); }; }", to: "sync.plist")
    chmod(folder.path("sync.plist"), 0o644)
    let run = try BuiltProgram("defaults-sync").run(
      words.isEmpty ? [] : words + ["--config", "sync.plist"], in: folder)
    #expect(run.text == "")
    #expect(run.error == "defaults-sync: \(message) (see defaults-sync -help)\n")
    #expect(run.status == 2)
  }
}
