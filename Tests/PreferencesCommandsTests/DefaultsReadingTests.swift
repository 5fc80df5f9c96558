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

  /// Runs defaults and expects all of what it prints.
  private func expect(
    _ words: String..., input: String = "", output: String = "", error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try defaults.expect(
      words, input: input, output: output, error: error, status: status,
      sourceLocation: sourceLocation)
  }

  private func value(of name: String) throws -> PlistValue { try defaults.value(of: name) }

  // MARK: The command line

  @Test("says what it understands")
  func help() throws {
    let help = try defaults.run(["--help"])
    #expect(help.text.hasPrefix("defaults: read and change preferences\n\nUsage: defaults "))
    #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    for words in [["-help"], ["help"], ["HELP"], ["-h"], ["-currentHost", "--help"]] {
      #expect(try defaults.run(words).text == help.text)
    }
    try expect("--version", output: "defaults (Larder) 0.1.0\n")
    let write = try defaults.run(["help", "write"])
    #expect(
      write.text.hasPrefix(
        "defaults write: Set the value of a key; given a dictionary in the place of the\nkey, "))
    #expect(write.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try defaults.run(["WRITE", "--help"]).text == write.text)
  }

  @Test("refuses command lines that say nothing to it")
  func usage() throws {
    func refuses(_ words: String..., because error: String, status: Int32 = 1) throws {
      let run = try defaults.run(words)
      #expect(run.text == "")
      #expect(run.error == "defaults: \(error) (see defaults help)\n")
      #expect(run.status == status)
    }
    try refuses(because: "no command is given")
    try refuses("reed", because: "unrecognized command: reed; did you mean read?")
    try refuses("help", "wriet", because: "unrecognized command: wriet; did you mean write?")
    try refuses("-x", "read", because: "unrecognized option: -x")
    try refuses("read", "D", "k", "l", because: "too many arguments; expected read [domain [key]]")
    try refuses("read-type", "D", because: "too few arguments; expected read-type domain key")
    try refuses("write", "D", because: "too few arguments; expected write domain key value...")
    try refuses("domains", "D", because: "too many arguments; expected domains")
    try refuses("read", "-app", because: "-app needs a program")
    try refuses(
      "read", "-D", because: "unrecognized domain: -D; expected a name, a path, -g or -app")
    try refuses("-host", because: "-host needs name")
    try refuses("-host", "a/b", "read", because: "-host needs the name of a host")
    try refuses(
      "-currentHost", "-host", "h", "read",
      because: "-currentHost and -host cannot be given together")
    try refuses(
      "-currentHost", "read", "./D", because: "a host does not go with the path of a file")
    try refuses(
      "-currentHost", "layers", "D", "k", because: "a host does not go with layers", status: 2)
    try refuses("layers", "D", because: "too few arguments; expected layers domain key", status: 2)
    #expect(try folder.names() == ["system", "user"])
    #expect(try defaults.shell("find user -type f").text == "")
  }

  @Test("verbs may be in capital letters")
  func verbCase() throws {
    try expect("WRITE", "D", "k", "v")
    try expect("Read", "D", "k", output: "v\n")
    try expect("Read-Type", "D", "k", output: "Type is string\n")
    try expect("REMOVE", "D", "k")
    try expect("DOMAINS", output: "\n")
  }

  // MARK: Reading

  @Test("read prints a value, a domain, or all of them")
  func read() throws {
    try expect("read", output: "{\n}\n")
    try expect("write", "D", "{ b = (1, { c = d; }); \"a-a\" = <0102>; }")
    try expect("write", "-g", "theme", "dark blue")
    try expect(
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
    try expect(
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
    try expect("read", "D", "a-a", output: "{length = 2, bytes = 0x0102}\n")
    try expect("read", "NSGlobalDomain", "theme", output: "dark blue\n")
    try expect("read", "-globalDomain", "theme", output: "dark blue\n")
  }

  @Test("read tells what does not exist")
  func readMissing() throws {
    try expect("read", "D", error: "Domain D does not exist\n", status: 1)
    try expect(
      "read", "D", "k", error: "The domain/default pair of (D, k) does not exist\n", status: 1)
    try expect(
      "read", "-g", "k", error: "The domain/default pair of (NSGlobalDomain, k) does not exist\n",
      status: 1)
    try expect("read", "..", error: "\"..\" is not the name of a domain\n", status: 1)
    try expect("read", "", error: "\"\" is not the name of a domain\n", status: 1)
    #expect(try defaults.shell("find user -type f").text == "")
  }

  @Test("read-type names every type")
  func readType() throws {
    let types: [([String], String)] = [
      (["text"], "string"), (["-data", "00"], "data"), (["-int", "1"], "integer"),
      (["-float", "1"], "float"), (["-bool", "no"], "boolean"), (["-date", "2024-01-01"], "date"),
      (["-array"], "array"), (["-dict"], "dictionary"),
    ]
    for (value, type) in types {
      #expect(try defaults.run(["write", "D", type] + value).error == "")
      try expect("read-type", "D", type, output: "Type is \(type)\n")
    }
    try expect(
      "read-type", "D", "k", error: "The domain/default pair of (D, k) does not exist\n", status: 1)
  }

  @Test("a file that cannot be read is reported and stays as it is")
  func corrupt() throws {
    try folder.write("{ a = ", to: "user/D.plist")
    try expect("write", "E", "k", "v")
    let reason = try defaults.run(["read", "D"]).error
    #expect(reason.hasPrefix(folder.path("user/D.plist: line 1 column 1: ")))
    try expect("read", "D", "a", error: reason, status: 1)
    try expect("read-type", "D", "a", error: reason, status: 1)
    try expect("rename", "D", "a", "b", error: reason, status: 1)
    try expect("delete", "D", error: reason, status: 1)
    try expect("delete-all", "D", error: reason, status: 1)
    try expect("export", "D", "-", error: reason, status: 1)
    let refusal = "Could not write domain D; exiting\n\(reason)"
    try expect("write", "D", "k", "v", error: refusal, status: 1)
    try expect("write", "D", "{}", error: refusal, status: 1)
    try expect("import", "D", "-", input: "{ a = b; }", error: refusal, status: 1)
    try expect(
      "read", output: "{\n    E =     {\n        k = v;\n    };\n}\n", error: reason, status: 1)
    try expect("domains", output: "D, E\n")
    #expect(try folder.text("user/D.plist") == "{ a = ")
  }

  @Test("domains are listed in order, without the global one and those that hold nothing")
  func domains() throws {
    for name in ["org.b", "a", "B"] { try expect("write", name, "k", "v") }
    try expect("write", "-g", "k", "v")
    try expect("write", "empty", "{}")
    try folder.write("x", to: "user/notes.txt")
    try expect("domains", output: "B, a, org.b\n")
    try expect("-host", "h", "write", "host.d", "k", "v")
    try expect("-host", "h", "domains", output: "host.d\n")
    try FileManager.default.removeItem(atPath: folder.path("user"))
    try expect("domains", output: "\n")
  }

  @Test("find looks in domains, keys and text, whatever the case")
  func find() throws {
    try expect("write", "org.Apple", "{ a = 1; b = 2; }")
    try expect("write", "D", "{ k = (\"an APPLE\"); l = pear; \"apple-pie\" = 3; }")
    try expect("write", "-g", "n", "-dict", "applet", "-int", "5")
    try expect(
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
    try expect("find", "plum", error: "No domain, key, nor value containing 'plum'\n")
  }

  // MARK: Layers

  @Test("layers tells which file supplies a value and which are shadowed")
  func layers() throws {
    let path = folder.path
    try expect("write", "D", "k", "-array", "mine")
    try expect("write", "-g", "k", "ours")
    try folder.write("{ k = theirs; l = 1; }", to: "system/D.plist")
    try folder.write(#"{ k = "2\nl"; }"#, to: "system/.GlobalPreferences.plist")
    try folder.write("{ k = here; }", to: "user/ByHost/D..plist")
    try expect(
      "layers", "D", "k",
      output: """
        user, this host (\(path)/user/ByHost/D..plist) supplies
            here
        user (\(path)/user/D.plist) is shadowed
            (
                mine
            )
        global (\(path)/user/.GlobalPreferences.plist) is shadowed
            ours
        system (\(path)/system/D.plist) is shadowed
            theirs
        system, global (\(path)/system/.GlobalPreferences.plist) is shadowed
            2
            l

        """)
    try expect(
      "layers", "D", "l", output: "system (\(path)/system/D.plist) supplies\n    1\n")
    try expect(
      "layers", "./user/D", "m",
      error: "The domain/default pair of (./user/D, m) does not exist\n", status: 1)
    try folder.write("", to: "system/D.plist")
    try expect(
      "layers", "-g", "k",
      output: """
        user (\(path)/user/.GlobalPreferences.plist) supplies
            ours
        system, global (\(path)/system/.GlobalPreferences.plist) is shadowed
            2
            l

        """)
    try expect(
      "layers", "D", "l",
      error: """
        \(path)/system/D.plist: the file is empty; expected a property list
        The domain/default pair of (D, l) does not exist

        """, status: 1)
  }

  @Test("managed files that are ignored are warned of")
  func managed() throws {
    let managed = folder.path("root/etc/xdg/managed")
    try FileManager.default.createDirectory(
      atPath: managed, withIntermediateDirectories: true)
    try folder.write("{ k = forced; }", to: "root/etc/xdg/managed/D.plist")
    let root = folder.path("root")
    let warning = """
      defaults: warning: \(managed)/D.plist: ignored; expected a file and folders that only root \
      can write

      """
    try expect("--root", root, "write", "D", "k", "mine")
    try expect("--root", root, "read", "D", "k", output: "mine\n", error: warning)
    try expect("--root", root, "read-type", "D", "k", output: "Type is string\n", error: warning)
    try expect(
      "--root", root, "layers", "D", "k",
      output: "user (\(root)\(folder.path)/user/D.plist) supplies\n    mine\n", error: warning)
    try expect("read", "D", error: "Domain D does not exist\n", status: 1)
  }

  // MARK: Domains

  @Test("a domain may be named by a path, a program or a host")
  func domainForms() throws {
    try expect("write", "./some", "k", "path")
    #expect(try value(of: "some.plist") == ["k": "path"])
    try expect("read", folder.path("some.plist"), "k", output: "path\n")
    try expect("read", "./some.plist", "k", output: "path\n")
    try expect("read", "./none", error: "Domain ./none does not exist\n", status: 1)
    try expect("write", "-app", "/usr/bin/jar", "k", "program")
    try expect("read", "jar", "k", output: "program\n")
    try expect("write", "--", "-odd", "k", "dash")
    try expect("read", "--", "-odd", "k", output: "dash\n")
    try expect("write", "-g", "k", "global")
    #expect(try value(of: "user/.GlobalPreferences.plist") == ["k": "global"])
    try expect("-host", "h", "write", "D", "k", "host")
    #expect(try value(of: "user/ByHost/D.h.plist") == ["k": "host"])
    try expect("-currentHost", "write", "D", "k", "here")
    let name = try defaults.shell("printf %s \"$(hostname)\"").text
    try expect("-host", name, "read", "D", "k", output: "here\n")
    try expect("-currentHost", "read", output: "{\n    D =     {\n        k = here;\n    };\n}\n")
    try expect(
      "read", "D", "k", error: "The domain/default pair of (D, k) does not exist\n", status: 1)
  }
}
