import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("PlistBuddy at a terminal")
struct PlistBuddyTerminalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("{ name = old; }", to: "f.plist")
  }

  private static var hasEditing: Bool {
    guard let library = dlopen("libedit.so.2", RTLD_NOW) else { return false }
    dlclose(library)
    return true
  }

  private func value() throws -> PlistValue {
    try Plist.read(folder.data("f.plist")).value
  }

  @Test("asks, edits, saves and ends", arguments: ["dumb", "xterm"])
  func session(type: String) throws {
    let terminal = try PlistBuddyProgram.terminal(["f.plist"], in: folder, type: type)
    try terminal.enter("Set :name new value")
    try terminal.enter("Print")
    try terminal.expect("Dict {\r\n    name = new value\r\n}\r\n")
    try terminal.enter("Set :none x")
    try terminal.expect("Set: Entry, \":none\", Does Not Exist\r\n")
    try terminal.expect("Command: ")
    #expect(try value() == ["name": "old"])
    try terminal.send("Save\r")
    try terminal.expect("Saving...\r\nCommand: ")
    #expect(try value() == ["name": "new value"])
    try terminal.send("Exit\r")
    #expect(try terminal.exitStatus() == 1)
  }

  @Test(
    "the end of input saves nothing, and reports discarded changes", arguments: ["dumb", "xterm"])
  func endOfInput(type: String) throws {
    let unchanged = try PlistBuddyProgram.terminal(["f.plist"], in: folder, type: type)
    try unchanged.expect("Command: ")
    try unchanged.send("\u{4}")
    #expect(try unchanged.exitStatus() == 0)

    let terminal = try PlistBuddyProgram.terminal(["f.plist"], in: folder, type: type)
    try terminal.enter("Delete :name")
    try terminal.expect("Command: ")
    try terminal.send("\u{4}")
    try terminal.expect("\r\nf.plist: unsaved changes were discarded\r\n")
    #expect(try terminal.exitStatus() == 1)
    #expect(try value() == ["name": "old"])
  }

  @Test("Exit without Save warns about discarded changes", arguments: ["dumb", "xterm"])
  func exit(type: String) throws {
    let terminal = try PlistBuddyProgram.terminal(["f.plist"], in: folder, type: type)
    try terminal.expect("Command: ")
    try terminal.send("Delete :name\rExit\r")
    try terminal.expect("f.plist: unsaved changes were discarded\r\n")
    #expect(try terminal.exitStatus() == 0)
    #expect(try value() == ["name": "old"])
  }

  @Test("an interrupt ends it without saving", arguments: ["dumb", "xterm"])
  func interrupt(type: String) throws {
    let terminal = try PlistBuddyProgram.terminal(["f.plist"], in: folder, type: type)
    try terminal.enter("Delete :name")
    try terminal.expect("Command: ")
    try terminal.send("\u{3}")
    #expect(try terminal.exitStatus() == 128 + SIGINT)
    #expect(try value() == ["name": "old"])
  }

  @Test("an arrow recalls the last command", .enabled(if: hasEditing))
  func history() throws {
    let terminal = try PlistBuddyProgram.terminal(["f.plist"], in: folder, type: "xterm")
    try terminal.enter("Add :list array")
    try terminal.enter("Add :list: string é")
    try terminal.expect("Command: ")
    // The key Up in the two forms that terminals send.
    try terminal.send("\u{1B}[A\r")
    try terminal.enter("\u{1B}OA!")
    try terminal.enter("Save")
    try terminal.expect("Saving...\r\nCommand: ")
    try terminal.send("\u{4}")
    #expect(try terminal.exitStatus() == 0)
    #expect(try value() == ["name": "old", "list": ["é", "é", "é!"]])
  }

  @Test("Tab completes the name of a command, and of a file", .enabled(if: hasEditing))
  func completion() throws {
    try folder.write("bytes", to: "some-bytes.bin")
    let terminal = try PlistBuddyProgram.terminal(["f.plist"], in: folder, type: "xterm")
    try terminal.expect("Command: ")
    try terminal.send("imp\t")
    try terminal.expect("Import ")
    try terminal.send(":d some-\t")
    try terminal.expect("bytes.bin")
    try terminal.send("\r")
    try terminal.enter("pr\t:d")
    try terminal.expect("\r\nbytes\r\n")
    try terminal.send("Exit\r")
    #expect(try terminal.exitStatus() == 0)
  }

  @Test("a value cannot control the terminal")
  func controls() throws {
    let value: PlistValue = [
      "k\u{1B}": "\u{1B}[2J\u{9B}31m\ta\n", "d": .data(Data([0x1B, 0x63, 0xFF, 0x41])),
    ]
    try folder.write(try Plist.write(value, as: .binary), to: "f.plist")
    let terminal = try PlistBuddyProgram.terminal(
      ["-c", "Print", "f.plist"], in: folder, type: "xterm")
    #expect(try terminal.exitStatus() == 0)
    #expect(
      terminal.output
        == "Dict {\r\n    d = \\u{1b}c\u{FFFD}A\r\n"
        + "    k\\u{1b} = \\u{1b}[2J\\u{9b}31m\ta\r\n\r\n}\r\n")

    let xml = try PlistBuddyProgram.terminal(
      ["-x", "-c", "Print :k", "g.plist"], in: folder, type: "xterm")
    #expect(try xml.exitStatus() == 1)
    try folder.write("<plist><dict><key>k</key><string>\u{9B}31m</string></dict></plist>", to: "h")
    let escaped = try PlistBuddyProgram.terminal(
      ["-x", "-c", "Print :k", "h"], in: folder, type: "")
    #expect(try escaped.exitStatus() == 0)
    #expect(escaped.output.hasSuffix("<string>\\u{9b}31m</string>\r\n</plist>\r\n"))
  }

  @Test("output to a pipe has the prompts, too")
  func prompt() throws {
    let terminal = try PseudoTerminal(
      "/bin/sh", ["-c", "\"$0\" f.plist | cat", BuiltProgram("PlistBuddy").path], in: folder,
      environment: ["TERM": "xterm"])
    try terminal.enter("Print :name")
    try terminal.expect("old\r\n")
    try terminal.enter("Exit")
    #expect(try terminal.exitStatus() == 0)
  }
}
