import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("defaults, reading")
struct DefaultsReadingTests {
  private let defaults: Defaults
  private var folder: TemporaryFolder { defaults.folder }

  init() throws {
    defaults = try Defaults()
  }

  @Test("read prints a value, a domain, or all of them")
  func read() throws {
    try defaults.expect("read", output: "{\n}\n")
    try defaults.expect("write", "D", "{ b = (1, { c = d; }); \"a-a\" = <0102>; }")
    try defaults.expect("write", "-g", "theme", "dark blue")
    try defaults.expect(
      "read",
      output: """
        {
            "Apple Global Domain" =     {
                theme = "dark blue";
            };
            D =     {
                "a-a" = {length = 2, bytes = 0x0102};
                b =         (
                    1,
                                {
                        c = d;
                    }
                );
            };
        }

        """)
    try defaults.expect(
      "read", "D",
      output: """
        {
            "a-a" = {length = 2, bytes = 0x0102};
            b =     (
                1,
                        {
                    c = d;
                }
            );
        }

        """)
    try defaults.expect("read", "D", "a-a", output: "{length = 2, bytes = 0x0102}\n")
    try defaults.expect("read", "NSGlobalDomain", "theme", output: "dark blue\n")
    try defaults.expect("read", "-globalDomain", "theme", output: "dark blue\n")
    try defaults.expect("read", "Apple Global Domain", "theme", output: "dark blue\n")
  }

  @Test("the global domain has the name under which it is listed, too")
  func globalName() throws {
    try defaults.expect("write", "Apple Global Domain", "k", "v")
    #expect(try defaults.value(of: "user/.GlobalPreferences.plist") == ["k": "v"])
    try defaults.expect("read", "--", "Apple Global Domain", "k", output: "v\n")
    try defaults.expect("-currentHost", "write", "Apple Global Domain", "k", "w")
    try defaults.expect("delete-all", "Apple Global Domain", "k")
    try defaults.expect(
      "-currentHost", "read", "-g", error: "Domain NSGlobalDomain does not exist\n", status: 1)
    try defaults.expect("write", "-g", "k", "v")
    try defaults.expect(
      "-currentHost", "read", "-g",
      error:
        "Domain NSGlobalDomain does not exist\nIt exists for all hosts: leave out -currentHost or -host\n",
      status: 1)
  }

  @Test("printHostIdentifier prints the part of file names that -currentHost adds")
  func hostIdentifier() throws {
    let identifier = try defaults.run(["printHostIdentifier"]).text.dropLast()
    #expect(identifier.wholeMatch(of: /[0-9a-f]+/) != nil)
    try defaults.expect("PRINTHOSTIDENTIFIER", output: "\(identifier)\n")
    try defaults.expect("-currentHost", "write", "D", "k", "here")
    #expect(try defaults.value(of: "user/ByHost/D.\(identifier).plist") == ["k": "here"])
    try defaults.expect("-host", String(identifier), "read", "D", "k", output: "here\n")
  }

  @Test("a host for which there is no file is an error, except to write one")
  func unknownHost() throws {
    let run = try defaults.run(["-host", "typo", "read", "D"])
    #expect(
      run.error.hasPrefix("defaults: no domain has preferences for the host typo; this host is "))
    #expect(run.status == 1)
    try defaults.expect("-host", "other", "write", "D", "k", "v")
    try defaults.expect("-host", "other", "read", "D", "k", output: "v\n")
    try defaults.expect(
      "-host", "other", "read", "E", error: "Domain E does not exist\n", status: 1)
  }

  @Test("reading says which layer has what is missing in another")
  func otherLayer() throws {
    try defaults.expect("write", "D", "k", "all")
    try defaults.expect("-currentHost", "write", "D", "h", "here")
    try defaults.expect(
      "read", "D", "h",
      error: """
        The domain/default pair of (D, h) does not exist
        It exists for this host: put -currentHost before the verb

        """, status: 1)
    try defaults.expect(
      "-currentHost", "read-type", "D", "k",
      error: """
        The domain/default pair of (D, k) does not exist
        It exists for all hosts: leave out -currentHost or -host

        """, status: 1)
  }

  @Test("the paths of macOS work with symbolic links")
  func pathsOfMacOS() throws {
    let missing = try defaults.shell("$DEFAULTS write ~/Library/Preferences/org.example.d volume 5")
    #expect(missing.status == 1)
    #expect(missing.error.contains("Library/Preferences"), "\(missing.error)")
    try defaults.shell(
      """
      set -e
      mkdir -p ~/Library && ln -s "${XDG_CONFIG_HOME:-$HOME/.config}" ~/Library/Preferences
      $DEFAULTS write ~/Library/Preferences/org.example.d.plist volume 5
      $DEFAULTS read org.example.d volume
      $DEFAULTS write org.example.d volume 6
      $DEFAULTS read ~/Library/Preferences/org.example.d volume
      $DEFAULTS -currentHost write org.example.d size 7
      $DEFAULTS read ~/Library/Preferences/ByHost/org.example.d.$($DEFAULTS printHostIdentifier) size
      """
    ).expect(output: "5\n6\n7\n")
  }

  @Test("read reports domains and keys that do not exist")
  func readMissing() throws {
    try defaults.expect("read", "D", error: "Domain D does not exist\n", status: 1)
    try defaults.expect(
      "read", "D", "k", error: "The domain/default pair of (D, k) does not exist\n", status: 1)
    try defaults.expect(
      "read", "-g", "k", error: "The domain/default pair of (NSGlobalDomain, k) does not exist\n",
      status: 1)
    try defaults.expect("read", "..", error: "\"..\" is not a valid domain name\n", status: 1)
    try defaults.expect("read", "", error: "\"\" is not a valid domain name\n", status: 1)
    #expect(try defaults.shell("find user -type f").text == "")
  }

  @Test(
    "read-type names every type",
    arguments: [
      (["text"], "string"), (["-data", "00"], "data"), (["-int", "1"], "integer"),
      (["-float", "1"], "float"), (["-bool", "no"], "boolean"), (["-date", "2024-01-01"], "date"),
      (["-array"], "array"), (["-dict"], "dictionary"),
    ])
  func readType(value: [String], type: String) throws {
    try defaults.expect(words: ["write", "D", "k"] + value)
    try defaults.expect("read-type", "D", "k", output: "Type is \(type)\n")
    try defaults.expect(
      "read-type", "D", "l", error: "The domain/default pair of (D, l) does not exist\n", status: 1)
  }

  @Test("a file that cannot be read is reported and stays as it is")
  func corrupt() throws {
    try folder.write("{ a = ", to: "user/D.plist")
    try defaults.expect("write", "E", "k", "v")
    let reason = try defaults.run(["read", "D"]).error
    let path = folder.path("user/D.plist")
    let lines = reason.split(separator: "\n")
    #expect(lines.first?.hasPrefix("\(path): line 1 column 1: ") == true)
    #expect(
      lines.dropFirst() == [
        "The file was left unchanged. After repairing it, check it with: plutil -lint \(path)",
        "To set it aside and start with an empty domain: mv \(path) \(path).bad",
      ])
    for words in [
      ["read", "D", "a"], ["read-type", "D", "a"], ["rename", "D", "a", "b"], ["delete", "D"],
      ["delete-all", "D"], ["export", "D", "-"],
    ] {
      try defaults.expect(words: words, error: reason, status: 1)
    }
    let refusal = "Could not write domain D; exiting\n\(reason)"
    for words in [["write", "D", "k", "v"], ["write", "D", "{}"], ["import", "D", "-"]] {
      try defaults.expect(words: words, input: "{ a = b; }", error: refusal, status: 1)
    }
    try defaults.expect(
      "read", output: "{\n    E =     {\n        k = v;\n    };\n}\n", error: reason, status: 1)
    try defaults.expect("domains", output: "D, E\n")
    #expect(try folder.text("user/D.plist") == "{ a = ")
  }

  @Test("the error of a file that does not hold preferences says how to recover it")
  func recovery() throws {
    try folder.write("", to: "it's.plist")
    let path = "'\(folder.path("it"))'\\''s.plist'"
    let run = try defaults.run(["read", folder.path("it's")])
    #expect(
      run.error == """
        \(folder.path("it's.plist")): the file is empty; expected a property list
        The file was left unchanged. After repairing it, check it with: plutil -lint \(path)
        To set it aside and start with an empty domain: mv \(path) \(path.dropLast()).bad'

        """)
    let command = try #require(run.error.firstMatch(of: /domain: (mv .*)/)).output.1
    try defaults.shell(String(command)).expect()
    try defaults.expect("write", "./it's", "a", "1")
    try defaults.expect("read", "./it's", "a", output: "1\n")
    #expect(try folder.names() == ["it's.plist", "it's.plist.bad", "system", "user"])

    try folder.write("(1)", to: "array.plist")
    let file = folder.path("array.plist")
    try defaults.expect(
      "delete", folder.path("array"), "k",
      error: """
        \(file): the property list is not a dictionary of preferences
        The file was left unchanged. To see its contents: plutil -p \(file)
        To set it aside and start with an empty domain: mv \(file) \(file).bad

        """, status: 1)
  }

  @Test("domains are listed in order, without the global one and empty ones")
  func domains() throws {
    for name in ["org.b", "a", "B"] { try defaults.expect("write", name, "k", "v") }
    try defaults.expect("write", "-g", "k", "v")
    try defaults.expect("write", "empty", "{}")
    try folder.write("x", to: "user/notes.txt")
    try defaults.expect("domains", output: "B, a, org.b\n")
    try defaults.expect("-host", "h", "write", "host.d", "k", "v")
    try defaults.expect("-host", "h", "domains", output: "host.d\n")
    try FileManager.default.removeItem(atPath: folder.path("user"))
    try defaults.expect("domains", output: "\n")
  }

  @Test("find searches domains, keys and text regardless of case")
  func find() throws {
    try defaults.expect("write", "org.Apple", "{ a = 1; b = 2; }")
    try defaults.expect("write", "D", "{ k = (\"an APPLE\"); l = pear; \"apple-pie\" = 3; }")
    try defaults.expect("write", "-g", "n", "-dict", "applet", "-int", "5")
    try defaults.expect(
      "find", "applE",
      output: """
        Found 1 keys in domain 'Apple Global Domain': {
            n =     {
                applet = 5;
            };
        }
        Found 2 keys in domain 'D': {
            "apple-pie" = 3;
            k =     (
                "an APPLE"
            );
        }
        Found 2 keys in domain 'org.Apple': {
            a = 1;
            b = 2;
        }

        """)
    try defaults.expect("find", "plum", error: "No domain, key, nor value containing 'plum'\n")
  }

  // MARK: Layers

  @Test("layers shows which file supplies a value and which are hidden")
  func layers() throws {
    let path = folder.path
    try defaults.expect("write", "D", "k", "-array", "mine")
    try defaults.expect("write", "-g", "k", "ours")
    try folder.write("{ k = theirs; l = 1; }", to: "system/D.plist")
    try folder.write(#"{ k = "2\nl"; }"#, to: "system/.GlobalPreferences.plist")
    try folder.write("{ k = here; }", to: "user/ByHost/D..plist")
    try defaults.expect(
      "layers", "D", "k",
      output: """
        user, this host (\(path)/user/ByHost/D..plist) supplies the value
            here
        user (\(path)/user/D.plist) is hidden
            (
                mine
            )
        global (\(path)/user/.GlobalPreferences.plist) is hidden
            ours
        system (\(path)/system/D.plist) is hidden
            theirs
        system, global (\(path)/system/.GlobalPreferences.plist) is hidden
            2
            l

        """)
    try defaults.expect(
      "layers", "D", "l", output: "system (\(path)/system/D.plist) supplies the value\n    1\n")
    try defaults.expect(
      "layers", "./user/D", "m",
      error: "The domain/default pair of (./user/D, m) does not exist\n", status: 1)
    try folder.write("", to: "system/D.plist")
    try defaults.expect(
      "layers", "-g", "k",
      output: """
        user (\(path)/user/.GlobalPreferences.plist) supplies the value
            ours
        system, global (\(path)/system/.GlobalPreferences.plist) is hidden
            2
            l

        """)
    try defaults.expect(
      "layers", "D", "l",
      error: """
        \(path)/system/D.plist: the file is empty; expected a property list
        The file was left unchanged. After repairing it, check it with: plutil -lint \(path)/system/D.plist
        To set it aside and start with an empty domain: mv \(path)/system/D.plist \
        \(path)/system/D.plist.bad

        """, status: 1)
  }

  @Test("read and layers warn about managed files that are ignored")
  func managed() throws {
    let managed = folder.path("root/etc/xdg/managed")
    try folder.makeFolder("root/etc/xdg/managed")
    try folder.write("{ k = forced; }", to: "root/etc/xdg/managed/D.plist")
    let root = folder.path("root")
    let warning = """
      defaults: warning: \(managed)/D.plist: ignored, because users other than root can change it or \
      a folder above it

      """
    try defaults.expect("--root", root, "write", "D", "k", "mine")
    try defaults.expect("--root", root, "read", "D", "k", output: "mine\n", error: warning)
    try defaults.expect(
      "--root", root, "read-type", "D", "k", output: "Type is string\n", error: warning)
    try defaults.expect(
      "--root", root, "layers", "D", "k",
      output: "user (\(root)\(folder.path)/user/D.plist) supplies the value\n    mine\n",
      error: warning)
    try defaults.expect("read", "D", error: "Domain D does not exist\n", status: 1)
  }

  // MARK: Domains

  @Test("a domain may be named by a path, a program or a host")
  func domainForms() throws {
    try defaults.expect("write", "./some", "k", "path")
    #expect(try defaults.value(of: "some.plist") == ["k": "path"])
    try defaults.expect("read", folder.path("some.plist"), "k", output: "path\n")
    try defaults.expect("read", "./some.plist", "k", output: "path\n")
    try defaults.expect("read", "./none", error: "Domain ./none does not exist\n", status: 1)
    try defaults.expect("write", "-app", "/usr/bin/jar", "k", "program")
    try defaults.expect("read", "jar", "k", output: "program\n")
    try defaults.expect("write", "--", "-odd", "k", "dash")
    try defaults.expect("read", "--", "-odd", "k", output: "dash\n")
    try defaults.expect("write", "-g", "k", "global")
    #expect(try defaults.value(of: "user/.GlobalPreferences.plist") == ["k": "global"])
    try defaults.expect("-host", "h", "write", "D", "k", "host")
    #expect(try defaults.value(of: "user/ByHost/D.h.plist") == ["k": "host"])
    try defaults.expect("-currentHost", "write", "D", "k", "here")
    let name = try defaults.shell("printf %s \"$(hostname)\"").text
    try defaults.expect("-host", name, "read", "D", "k", output: "here\n")
    try defaults.expect(
      "-currentHost", "read", output: "{\n    D =     {\n        k = here;\n    };\n}\n")
    try defaults.expect(
      "read", "D", "k",
      error: """
        The domain/default pair of (D, k) does not exist
        It exists for this host: put -currentHost before the verb

        """, status: 1)
  }
}
