import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

@Suite("defaults, inspecting")
struct DefaultsInspectionTests {
  private let defaults: Defaults
  private var folder: TemporaryFolder { defaults.folder }

  init() throws {
    defaults = try Defaults()
  }

  private func documents(_ page: Data) throws -> [InspectedDomain] {
    try InspectedDomain.all(in: page)
  }

  private func document(of words: String...) throws -> InspectedDomain {
    try defaults.expect(words: ["inspect", "-o", "page.html"] + words)
    let documents = try documents(folder.data("page.html"))
    try #require(documents.count == 1)
    return documents[0]
  }

  @Test("inspect tells for each key which value counts, and what it hides")
  func layers() throws {
    try defaults.expect("write", "D", "theme", "dark")
    try defaults.expect("-currentHost", "write", "D", "theme", "black")
    try defaults.expect("write", "-g", "theme", "light")
    try defaults.expect("write", "-g", "size", "-int", "12")
    try folder.write("{\"theme\": \"gray\", \"system\": true}", to: "system/D.plist")
    let document = try document(of: "D")
    #expect(document.name == "D")
    #expect(document.tree.types == "ditssss")
    #expect(document.tree.texts == ["12", "black", "dark", "light", "gray"])
    #expect(document.tree.shadowed == [4, 5, 6])
    #expect(document.origins(of: "theme") == ["user, this host", "user", "global", "system"])
    #expect(document.origins(of: "size") == ["global"])
    #expect(document.origins(of: "system") == ["system"])
    #expect(document.facts.contains(["keys", "3"]))
    #expect(document.facts.contains(["keys with hidden values", "1"]))
  }

  @Test("inspect shows what a manifest tells of settings, and no secret values")
  func settings() throws {
    try EditorManifest.install(in: folder)
    let domain = "org.example.editor"
    try defaults.expect("write", domain, "tabWidth", "8")
    try defaults.expect("write", domain, "token", "hunter2")
    try folder.write("{ theme = dark; token = hunter5; }", to: "system/\(domain).plist")
    let document = try document(of: domain)
    let settings = try #require(document.settings)
    #expect([settings.title, settings.description] == ["Editor", "A text editor."])
    #expect(
      settings.keys.filter(\.isSet).map { key in
        "\(key.path.joined(separator: ".")): \(key.value ?? ""), "
          + "\(key.layer.map { document.layers[$0].name } ?? ""), \(key.differs)"
      } == [
        "tabWidth: 8 columns, user, true", "theme: dark, system, false",
        "token: secret, user, true",
      ])
    #expect(document.tree.texts == ["8", "dark", "secret", "secret"])
    #expect(try folder.text("page.html").contains("hunter") == false)
  }

  @Test("inspect lists all layers with files, in the order in which they are searched")
  func files() throws {
    let document = try document(of: "D")
    #expect(
      document.layers.map(\.name) == [
        "managed", "managed", "user, this host", "user, this host", "user", "global, this host",
        "global, this host", "global", "global", "system", "system", "system, global",
        "system, global",
      ])
    #expect(document.user?.fact("file") == folder.path("user/D.plist"))
    #expect(document.user?.fact("state") == "there is no file")
    #expect(document.tree.types == "d")
  }

  @Test("inspect tells the state of a file")
  func fileState() throws {
    try defaults.expect("write", "D", "k", "v")
    chmod(folder.path("user/D.plist"), 0o640)
    let size = try folder.data("user/D.plist").count
    let user = try #require(try document(of: "D").user)
    #expect(user.fact("size") == "\(size) bytes")
    #expect(user.fact("format") == "XML")
    #expect(user.fact("mode") == "-rw-r----- (640)")
    let names = try defaults.shell("printf '%s:%s' \"$(id -un)\" \"$(id -gn)\"").text
    #expect(user.fact("owner") == names)
    #expect(user.fact("modified")?.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000/) != nil)
    #expect(user.fact("keys") == "1")
    #expect(user.error == nil)
  }

  @Test("inspect follows a symbolic link, and says where it leads")
  func link() throws {
    try folder.write("{\"k\": 1}", to: "elsewhere")
    try folder.link("user/D.plist", to: "../elsewhere")
    let user = try #require(try document(of: "D").user)
    #expect(user.fact("state") == "a symbolic link to ../elsewhere")
    #expect(user.fact("size") == "8 bytes")
    try FileManager.default.removeItem(atPath: folder.path("elsewhere"))
    #expect(
      try document(of: "D").user?.fact("state")
        == "a symbolic link to ../elsewhere, which does not exist")
  }

  @Test("inspect shows why a file cannot be read, what was set aside, and the last good copy")
  func damage() throws {
    try folder.write("<plist><dict><key>k", to: "user/D.plist")
    try folder.write("older", to: "user/D.plist.corrupt-1700000000")
    let user = try #require(try document(of: "D").user)
    let path = folder.path("user/D.plist")
    #expect(user.error?.hasPrefix("\(path): line 1 column ") == true)
    #expect(
      user.facts.filter { $0[0] == "note" }.map { $0[1] } == [
        "The file was left unchanged. After repairing it, check it with: plutil -lint \(path)",
        "To set it aside and start with an empty domain: mv \(path) \(path).bad",
      ])
    #expect(user.fact("set aside")?.hasPrefix("\(path).corrupt-1700000000 (5 bytes, ") == true)
    #expect(user.fact("last good copy") == nil)
    #expect(
      try document(of: "D", "-copies", "copies").user?.fact("last good copy")
        == "there is none in copies")
  }

  @Test("inspect shows managed files that are ignored, and why")
  func managed() throws {
    try folder.makeFolder("root/etc/xdg/managed")
    try folder.write("{ k = forced; }", to: "root/etc/xdg/managed/D.plist")
    try defaults.expect("--root", folder.path("root"), "write", "D", "k", "mine")
    try defaults.expect("--root", folder.path("root"), "inspect", "D", "-o", "page.html")
    let document = try #require(try documents(folder.data("page.html")).first)
    #expect(document.origins(of: "k") == ["user"])
    let path = folder.path("root/etc/xdg/managed/D.plist")
    let managed = document.layers.first { $0.fact("file") == path }
    #expect(
      managed?.error
        == "\(path): ignored, because users other than root can change it or a folder above it")
    #expect(managed?.fact("size") == "15 bytes")
  }

  @Test("a file whose name is not UTF-8 is shown as one that cannot be read")
  func undecodableName() throws {
    try defaults.expect("write", "D", "k", "v")
    #expect(try defaults.shell("printf '{}' > user/$'\\xFF'.plist").status == 0)
    try defaults.expect("inspect", "-o", "page.html")
    let documents = try documents(folder.data("page.html"))
    #expect(documents.map(\.name) == ["NSGlobalDomain", "D", "\u{FFFD}"])
    #expect(documents.last?.user?.error != nil)
  }

  @Test("keys are told apart by their bytes")
  func composedKeys() throws {
    try folder.write("{\"\u{E9}\": 1, \"e\u{301}\": 2}", to: "user/D.plist")
    let document = try document(of: "D")
    #expect(document.tree.texts == ["2", "1"])
    #expect(document.tree.keys.map { $0.utf8.count } == [3, 2])
    #expect(document.tree.shadowed == [])
  }

  @Test("inspect finds the copy of the last good contents that an application keeps")
  func lastGoodCopy() throws {
    var options = PreferencesStore.Options()
    options.lastGoodFolder = folder.path("copies")
    let store = PreferencesStore(fileAt: folder.path("user/D.plist"), options: options)
    store.set(1, forKey: "k")
    try store.flush()
    let copies = try folder.names("copies").filter { $0.hasPrefix("D.plist-") }
    try #require(copies.count == 1)
    let user = try #require(try document(of: "D", "-copies", folder.path("copies")).user)
    let copy = folder.path("copies/\(copies[0])")
    #expect(user.fact("last good copy")?.hasPrefix("\(copy) (") == true)
  }

  @Test("inspect takes a path, and then looks at this file alone")
  func path() throws {
    try folder.write("{\"k\": [1, 2.5, null]}", to: "some.plist")
    try folder.write("{\"k\": [1, 2.5]}", to: "other.plist")
    let document = try document(of: "./other.plist")
    #expect(document.name == "./other.plist")
    #expect(document.layers.map(\.name) == ["user"])
    #expect(document.origins(of: "k") == ["user"])
    #expect(
      try self.document(of: "./some").user?.error?.contains("not a dictionary of preferences")
        == true)
  }

  @Test("inspect without a domain shows all of the user's, the global one first")
  func allDomains() throws {
    try defaults.expect("write", "b", "k", "1")
    try defaults.expect("write", "a", "k", "1")
    try defaults.expect("inspect", "-o", "page.html")
    #expect(try documents(folder.data("page.html")).map(\.name) == ["NSGlobalDomain", "a", "b"])
  }

  @Test("inspect changes nothing but the file that it writes, and replaces that")
  func output() throws {
    try defaults.expect("write", "D", "k", "v")
    let before = try folder.data("user/D.plist")
    let names = try folder.names("user")
    try folder.write("old", to: "page.html")
    try defaults.expect("inspect", "D", "-o", "page.html")
    #expect(try folder.names("user") == names)
    #expect(try folder.data("user/D.plist") == before)
    #expect(try documents(folder.data("page.html")).map(\.name) == ["D"])
    let run = try defaults.run(["inspect", "D", "-o", "-"])
    #expect(try documents(run.output).map(\.name) == ["D"])
    try defaults.expect(
      "inspect", "D", "-o", "missing/page.html",
      error: "missing/page.html: cannot open: No such file or directory\n", status: 1)
  }

  @Test("inspect never replaces preferences")
  func inputs() throws {
    try defaults.expect("write", "D", "k", "v")
    try folder.write("{\"k\": 1}", to: "linked")
    try folder.link("user/L.plist", to: "../linked")
    try folder.link("page.html", to: "user/D.plist")
    let replaced = folder.path("user/L.plist")
    for (domain, output, problem) in [
      ("D", "user/D.plist", "user/D.plist is a property list, which a page does not replace"),
      ("D", "new.plist", "new.plist is a property list, which a page does not replace"),
      ("D", "page.html", "page.html is a property list, which a page does not replace"),
      (
        "L", "linked",
        "the output would replace the input \(replaced); use -o to choose another file"
      ),
    ] {
      try defaults.expect(
        "inspect", domain, "-o", output,
        error: "defaults: \(problem) (see defaults help)\n", status: 2)
    }
    try folder.link("dangling.html", to: "user/E.plist")
    try defaults.expect(
      "inspect", "D", "-o", "dangling.html",
      error: "dangling.html: a symbolic link that leads nowhere; expected a file\n", status: 1)
    #expect(try folder.names("user").contains("E.plist") == false)
    #expect(try defaults.value(of: "user/D.plist") == ["k": "v"])
    #expect(try folder.text("linked") == "{\"k\": 1}")
  }

  @Test("on a terminal inspect writes a new file, and says so")
  func terminal() throws {
    let program = BuiltProgram("defaults").path
    let environment = ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path("user")]
    let terminal = try PseudoTerminal(
      program, ["inspect", "D"], in: folder, environment: environment)
    try terminal.expect("report.html: written; open it in a browser")
    #expect(try terminal.exitStatus() == 0)
    #expect(try documents(folder.data("report.html")).map(\.name) == ["D"])
    let again = try PseudoTerminal(program, ["inspect", "E"], in: folder, environment: environment)
    try again.expect("report.html: file already exists; use -o report.html to replace it")
    #expect(try again.exitStatus() == 1)
    #expect(try documents(folder.data("report.html")).map(\.name) == ["D"])
  }

  @Test(
    "inspect reports wrong arguments",
    arguments: [
      (["-o"], "-o needs a file"), (["D", "-copies"], "-copies needs a folder"),
      (["-o", "a", "-o", "b"], "-o was given twice"), (["--"], "-- needs a domain"),
      (["D", "E"], "too many arguments; usage: inspect [domain] [-o file] [-copies folder]"),
      (
        ["-x"],
        "unrecognized domain: -x; expected a name, a path, -g or -app; before a name that begins "
          + "with a dash, put --"
      ),
    ])
  func wrongArguments(words: [String], error: String) throws {
    try defaults.expect(
      words: ["inspect"] + words, error: "defaults: \(error) (see defaults help)\n", status: 2)
  }

  @Test("text of preferences cannot end the element that it is in")
  func hostileText() throws {
    try defaults.expect(
      "write", "D", "</script><script>", "-string", "<!--<script>\u{2028}&amp;")
    let document = try document(of: "D")
    #expect(document.tree.keys == ["</script><script>"])
    #expect(document.tree.texts == ["<!--<script>\u{2028}&amp;"])
    #expect(try folder.text("page.html").contains("</script><script>") == false)
  }
}
