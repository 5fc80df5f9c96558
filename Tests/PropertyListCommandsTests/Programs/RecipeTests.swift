import Foundation
import PropertyList
import TestSupport
import Testing

/// The recipes of the page about the tools, with the programs that they are for.
@Suite("Recipes")
struct RecipeTests {
  private let folder: TemporaryFolder

  /// A repository with the settings of the page.
  init() throws {
    folder = try TemporaryFolder()
    let settings = try Self.page.matches(of: /git config --global .+/).map { String($0.output) }
    let attributes = try #require(Self.page.firstMatch(of: /\*\.plist diff=.+/)).output
    #expect(settings.count == 9)
    try folder.write(attributes + "\n", to: ".gitattributes")
    let setup = try shell(
      """
      git init -q -b main . && \(settings.joined(separator: " && ")) &&
      git config --global user.name Ada && git config --global user.email ada@example.org &&
      git add . && git commit -q -m start
      """)
    try #require(setup.status == 0, "\(setup.error)")
  }

  private static var page: String {
    get throws {
      let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      return try String(
        contentsOf: package.appendingPathComponent("Sources/Larder.docc/Tools.md"), encoding: .utf8)
    }
  }

  /// Runs a shell command with an empty configuration of git, and plutil in the search path.
  private func shell(_ command: String) throws -> BuiltProgram.Run {
    try Plutil.shell(
      """
      export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 PATH="$(dirname "$PLUTIL"):$PATH" GIT_EDITOR=true
      \(command)
      """, in: folder)
  }

  /// Commits a value as `a.plist` on a branch.
  private func commit(_ value: PlistValue, as format: PlistFormat, on branch: String) throws {
    let switched = try shell("git checkout -q -B \(branch)")
    #expect(switched.status == 0, "\(switched.error)")
    try folder.write(Plist.write(value, as: format), to: "a.plist")
    let run = try shell("git add a.plist && git commit -q -m \(branch)")
    #expect(run.status == 0, "\(run.error)")
  }

  /// Commits three values on `main`, and on the branches `ours` and `theirs` that start from there.
  private func commit(
    _ base: PlistValue, _ ours: PlistValue, _ theirs: PlistValue, as format: PlistFormat
  ) throws {
    try commit(base, as: format, on: "main")
    try commit(theirs, as: format, on: "theirs")
    _ = try shell("git checkout -q main")
    try commit(ours, as: format, on: "ours")
  }

  private static let values: (PlistValue, PlistValue, PlistValue) = (
    ["a": "1", "b": "2"], ["a": "3", "b": "2"], ["a": "1", "b": "4"]
  )

  // MARK: Commands

  /// The commands of the page, without comments, but for one that does not end and one that needs
  /// servers.
  private static let commands: [String] = {
    let lines = ((try? page) ?? "").split(separator: "\n").filter { $0.hasPrefix("    $ ") }
    let commands = lines.map { line in
      line.dropFirst(6).replacing(#/\ +# .+/#, with: "").trimmingCharacters(in: .whitespaces)
    }
    return commands.filter { !$0.hasPrefix("defaults watch") && !$0.hasPrefix("defaults sync") }
  }()

  @Test("Each command of the page does what it says, or finds what it looks for")
  func commands() throws {
    #expect(Self.commands.count > 15)
    let info: PlistValue = [
      "CFBundleVersion": "1.1", "CFBundleIdentifier": "org.example.player", "Tags": [],
      "URL": "https://example.org",
    ]
    try folder.write(Plist.write(info, as: .xml), to: "Info.plist")
    try folder.write(Plist.write(info, as: .binary), to: "app.mobileprovision")
    try folder.write(
      Plist.write(["Tracks": [["Name": "So What"]]], as: .binary), to: "library.plist")
    try folder.write(
      Plist.write(
        [
          "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": .uid(1)],
          "$objects": ["$null", "text"],
        ], as: .binary), to: "archive.plist")
    try folder.write(
      "{ pfm_domain = \"org.example.editor\"; pfm_subkeys = ({ pfm_name = tabWidth; }); }\n",
      to: "org.example.editor.manifest")
    try folder.write("{ tabWidth = 4; }\n", to: "org.example.editor.plist")
    try EditorManifest.install(in: folder)
    try folder.write(
      "{ pfm_domain = \"org.example.player\"; pfm_subkeys = ({ pfm_name = volume; }); }\n",
      to: "data/preferences/manifests/org.example.player.plist")
    for (name, value) in [
      ("old", PlistValue.string("1")), ("new", "2"), ("base", "1"), ("ours", "1"), ("theirs", "2"),
    ] {
      try folder.write(Plist.write(["a": value], as: .xml), to: "\(name).plist")
    }
    for command in Self.commands {
      // The programs are built beside the tests.
      let run = try shell(
        "export XDG_CONFIG_HOME=$PWD/.config XDG_DATA_HOME=$PWD/data; \(command) < /dev/null")
      // Differences have a separate status.
      let printsDifferences = command.hasPrefix("plutil -diff") && !command.contains("|")
      #expect(run.status == (printsDifferences ? 1 : 0), "\(command): \(run.error)")
      #expect(run.error == "", "\(command)")
    }
    #expect(try Plist.read(folder.data("Info.plist")).value[PlistKeyPath("Tags.0")] == "new")
  }

  // MARK: git merge

  @Test(
    "git merges and rebases by key path", arguments: PlistFormat.allCases,
    ["merge -q --no-edit", "rebase -q", "cherry-pick"])
  func merge(format: PlistFormat, command: String) throws {
    try commit(Self.values.0, Self.values.1, Self.values.2, as: format)
    let run = try shell("git \(command) theirs >&2 && git status --porcelain")
    #expect(run.status == 0, "\(run.error)")
    #expect(try Plist.read(folder.data("a.plist")).value == ["a": "3", "b": "4"])
    #expect(!run.text.contains("a.plist"))
  }

  @Test(
    "git stops at a conflict, and the file cannot be read", arguments: PlistFormat.allCases,
    ["merge --no-edit", "rebase"])
  func conflict(format: PlistFormat, command: String) throws {
    try commit(["a": "1", "b": "2"], ["a": "3", "b": "5"], ["a": "9", "b": "2"], as: format)
    let run = try shell("git \(command) theirs")
    #expect(run.status == 1)
    #expect(try shell("git status --porcelain").text.hasPrefix("UU a.plist\n"))
    let lint = try shell("plutil -lint a.plist")
    #expect(lint.status == 1)
    #expect(lint.text.contains("found a conflict marker"))
    let resolved = try shell(
      """
      for stage in 1 2 3; do git show :$stage:a.plist > $stage.tmp || exit 1; done
      plutil -merge --theirs -o a.plist 1.tmp 2.tmp 3.tmp && rm *.tmp && git add a.plist &&
      git \(command.prefix { $0 != " " }) --continue
      """)
    #expect(resolved.status == 0, "\(resolved.error)")
    let isRebase = command == "rebase"
    #expect(
      try Plist.read(folder.data("a.plist")).value == ["a": isRebase ? "3" : "9", "b": "5"])
  }

  @Test("git mergetool resolves conflicts", arguments: PlistFormat.allCases, ["ours", "theirs"])
  func mergetool(format: PlistFormat, side: String) throws {
    try commit(
      ["a": "1", "b": "2", "c": "3"], ["a": "4", "b": "5", "c": "3"],
      ["a": "9", "b": "2", "c": "6"], as: format)
    #expect(try shell("git merge --no-edit theirs").status == 1)
    let run = try shell("git mergetool -y -t plist-\(side) && git commit -q --no-edit")
    #expect(run.status == 0, "\(run.error)")
    let data = try folder.data("a.plist")
    #expect(PlistFormat(detecting: data) == format)
    #expect(
      try Plist.read(data).value == ["a": side == "ours" ? "4" : "9", "b": "5", "c": "6"])
  }

  @Test("git mergetool resolves conflicts of files that both branches have added")
  func mergetoolWithoutBase() throws {
    _ = try shell("git checkout -q -b theirs")
    try commit(["a": "1", "b": "2"], as: .binary, on: "theirs")
    _ = try shell("git checkout -q main")
    try commit(["a": "3"], as: .binary, on: "ours")
    #expect(try shell("git merge --no-edit theirs").status == 1)
    let run = try shell("git mergetool -y -t plist-ours && git commit -q --no-edit")
    #expect(run.status == 0, "\(run.error)")
    #expect(try Plist.read(folder.data("a.plist")).value == ["a": "3", "b": "2"])
  }

  @Test("git merges files that both branches have added")
  func added() throws {
    _ = try shell("git checkout -q -b theirs")
    try commit(["b": "2"], as: .binary, on: "theirs")
    _ = try shell("git checkout -q main")
    try commit(["a": "1"], as: .binary, on: "ours")
    let run = try shell("git merge -q --no-edit theirs")
    #expect(run.status == 0, "\(run.error)")
    #expect(try Plist.read(folder.data("a.plist")).value == ["a": "1", "b": "2"])
  }

  @Test("git does not use conflicts of earlier merges as ancestors")
  func crissCross() throws {
    try commit(["a": "1"], ["a": "2"], ["a": "3"], as: .binary)
    let run = try shell(
      """
      git branch o ours && git branch t theirs
      git checkout -q ours && { git merge -q t || git checkout -q --ours a.plist; } && git add a.plist &&
      git commit -q --no-edit &&
      git checkout -q theirs && { git merge -q o || git checkout -q --theirs a.plist; } && git add a.plist &&
      git commit -q --no-edit; git checkout -q ours && git merge -q --no-edit theirs
      """)
    // Both took our value.
    #expect(run.status == 0, "\(run.error)")
    #expect(try Plist.read(folder.data("a.plist")).value == ["a": "2"])
  }

  // MARK: git difftool, hooks

  @Test("git difftool shows differences by key path")
  func difftool() throws {
    try commit(["a": "1"], as: .binary, on: "main")
    try commit(["a": "2"], as: .binary, on: "main")
    try shell(
      "git rm -q --cached a.plist && git mv -k a.plist -- -x.plist; mv a.plist ./-x.plist; git add -A; git commit -q -m moved"
    )
    .expect()
    try folder.write(Plist.write(["a": "3"], as: .binary), to: "-x.plist")
    let run = try shell("git difftool -y -t plutil")
    #expect(
      run.text.hasSuffix("+++ -x.plist\n- a: \"2\"\n+ a: \"3\"\n"), "\(run.text) \(run.error)")
    let tree = try shell("git difftool -d --no-symlinks -t plutil HEAD~2")
    #expect(tree.text.contains("Only in "), "\(tree.text) \(tree.error)")
    #expect(tree.text.contains(": -x.plist\n"))
  }

  @Test("The hook refuses broken property lists")
  func hook() throws {
    let hook = try #require(
      Self.page.firstMatch(of: #/ +#!/bin/sh\n +git diff .+\n/#)
    ).output.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
    try folder.writeScript(hook + "\n", to: ".git/hooks/pre-commit")
    try folder.write("{ a = 1; }\n", to: "good name.plist")
    let good = try shell("git add . && git commit -q -m good")
    #expect(good.status == 0, "\(good.error)")
    try folder.write("{ a = 1 }\n", to: "bad.plist")
    let run = try shell("git add bad.plist && git commit -q -m bad")
    #expect(run.status != 0)
    #expect(
      run.error == "bad.plist: line 1 column 9: expected ;, found }\n"
        || run.error.hasPrefix("bad.plist: line 1 column 9: "))
    // Without any.
    let none = try shell(
      "git rm -q --cached bad.plist && rm bad.plist && git commit -q --allow-empty -m none")
    #expect(none.status == 0, "\(none.error)")
  }

  // MARK: Other programs

  @Test("jq edits property lists, whose values keep their types")
  func jq() throws {
    let recipe = try #require(Self.page.firstMatch(of: /plutil -convert json --typed .+/)).output
    let value: PlistValue = [
      "CFBundleVersion": "1", "date": .date(Date(timeIntervalSinceReferenceDate: 1.5)),
      "data": .data(Data([1, 2, 3])), "real": 1.0, "big": .integer(.max), "uid": .uid(5),
      "small": 5, "half": 0.5, "set": .set(["x"]), "array": [true, ["$date": "x"]],
      "zero": .real(-0.0),
    ]
    try folder.write(Plist.write(value, as: .binary), to: "Info.plist")
    try shell(String(recipe)).expect()
    var expected = value
    try expected.replace(at: PlistKeyPath("CFBundleVersion"), with: "2")
    let data = try folder.data("Info.plist")
    #expect(PlistFormat(detecting: data) == .binary)
    #expect(try Plist.read(data).value == expected)
  }

  @Test("less shows property lists as text, and other files as they are")
  func less() throws {
    let filter = try #require(
      Self.page.firstMatch(of: #/ +#!/bin/sh\n +case (?:.+\n)+/#)
    ).output.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
    try folder.writeScript(filter + "\n", to: ".lessfilter")
    try folder.write(Plist.write(["name": "Ada"], as: .binary), to: "a b.plist")
    try folder.write("not a property list\n", to: "bad.plist")
    try folder.write("text\n", to: "text")
    let run = try shell(
      """
      export LESSOPEN='| /usr/bin/lesspipe %s' LESSCHARSET=utf-8
      for file in 'a b.plist' bad.plist text; do less "$file" | cat; done
      """)
    run.expect(output: "{\n  \"name\" => \"Ada\"\n}\nnot a property list\ntext\n")
  }
}
