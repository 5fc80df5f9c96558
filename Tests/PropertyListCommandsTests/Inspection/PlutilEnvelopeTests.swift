import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("Property lists in signed messages and executables")
struct PlutilEnvelopeTests {
  private let fixture: PlutilFixture

  init() throws {
    fixture = try PlutilFixture()
    try fixture.folder.write(EnvelopeFixture.signedMessage, to: "a.mobileprovision")
    try fixture.folder.write(EnvelopeFixture.streamedMessage, to: "b.provisionprofile")
    try fixture.folder.write(EnvelopeFixture.profile, to: "plain.plist")
  }

  private static func note(_ file: String) -> String {
    "\(file): note: the property list is inside a signed message (CMS), whose signature was not checked\n"
  }

  @Test(
    "All verbs that read find the property list in a signed message, and say so",
    arguments: ["a.mobileprovision", "b.provisionprofile"])
  func verbs(file: String) throws {
    let note = Self.note(file)
    try fixture.expect("-lint \(file)", output: "\(file): OK\n", error: note)
    try fixture.expect("-p -at Name \(file)", output: "\"Example\"\n", error: note)
    try fixture.expect("-p -s -at Name \(file)", output: "\"Example\"\n")
    try fixture.expect("-extract Name raw \(file)", output: "Example\n", error: note)
    try fixture.expect("-type Name -s \(file)", output: "string\n")
    try fixture.expect("-extract Name raw -s \(file)", output: "Example\n")
    try fixture.expect("-type Name \(file)", output: "string\n", error: note)
    try fixture.expect("-diff plain.plist \(file)", error: note)
    try fixture.expect("-find Exa \(file)", output: "\(file):2: Name: \"Example\"\n", error: note)
    let info = try Plutil.run(["-info", file], in: fixture.folder)
    #expect(info.text.hasPrefix("\(file):\n  seems to be: provisioning profile Example\n"))
    let data = try fixture.folder.data(file)
    let warning = note.replacing("note", with: "warning")
    try fixture.expect("-convert xml1 -o out.plist \(file)", error: warning)
    #expect(
      try Plist.read(fixture.folder.data("out.plist")).value
        == Plist.read(Data(EnvelopeFixture.profile.utf8)).value)
    #expect(try fixture.folder.data(file) == data)
  }

  @Test("A signed message is never changed in place", arguments: ["-convert xml1", "-remove Name"])
  func inPlace(verb: String) throws {
    try fixture.expect(
      "\(verb) a.mobileprovision",
      error: """
        a.mobileprovision: the property list is inside a signed message (CMS), whose signature was not \
        checked; use -o to choose the output

        """, status: 1)
    #expect(try fixture.folder.data("a.mobileprovision") == EnvelopeFixture.signedMessage)
  }

  @Test("Damaged messages, and those without contents, are errors")
  func damaged() throws {
    try fixture.folder.write(EnvelopeFixture.detachedMessage, to: "detached")
    try fixture.expect(
      "-lint detached",
      output:
        "detached: this is a signed message (CMS), such as a provisioning profile, but it has no contents\n",
      status: 1)
    let message = EnvelopeFixture.signedMessage
    for count in [20, 30, 50, 61, 100, 300] {
      try fixture.folder.write(message.prefix(count), to: "short")
      let run = try Plutil.run(["-lint", "short"], in: fixture.folder)
      #expect(run.status == 1)
      #expect(run.text.contains("but it is damaged; no property list can be found in it"))
    }
    var changed = message
    changed[70] = UInt8(ascii: "<")
    try fixture.folder.write(changed, to: "changed")
    let run = try Plutil.run(["-lint", "changed"], in: fixture.folder)
    #expect(run.text.hasPrefix("changed: line 1 column "))
  }

  static let executables: [(String, Data)] = [true, false].flatMap { is64Bit in
    [true, false].map { isBigEndian in
      (
        is64Bit ? "arm64" : "i386",
        EnvelopeFixture.machO(
          Data(EnvelopeFixture.profile.utf8), is64Bit: is64Bit, isBigEndian: isBigEndian)
      )
    }
  }

  @Test("The property list in an executable is found", arguments: executables)
  func executable(architecture: String, file: Data) throws {
    try fixture.folder.write(file, to: "tool")
    let note =
      "tool: note: the property list is inside a Mach-O file (\(architecture)), section __TEXT,__info_plist\n"
    try fixture.expect("-extract Name raw tool", output: "Example\n", error: note)
    let fat = EnvelopeFixture.fat([EnvelopeFixture.machO(nil), file])
    try fixture.folder.write(fat, to: "tool")
    try fixture.expect("-extract Name raw tool", output: "Example\n", error: note)
  }

  @Test("An executable without a property list, and a damaged one, are errors")
  func badExecutables() throws {
    try fixture.folder.write(EnvelopeFixture.machO(nil), to: "tool")
    try fixture.expect(
      "-p tool",
      error:
        "tool: this is a Mach-O file without a property list; expected a section __TEXT,__info_plist\n",
      status: 1)
    let whole = EnvelopeFixture.machO(Data(EnvelopeFixture.profile.utf8))
    for count in [8, 31, 40, 100, 200, whole.count - 1] {
      try fixture.folder.write(whole.prefix(count), to: "tool")
      let run = try Plutil.run(["-p", "tool"], in: fixture.folder)
      #expect(run.status == 1)
      #expect(run.error.contains("this is a Mach-O file, but it is damaged"), "\(run.error)")
    }
  }
}
