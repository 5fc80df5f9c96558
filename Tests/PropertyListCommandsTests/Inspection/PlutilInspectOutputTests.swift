import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("The file that plutil -inspect writes")
struct PlutilInspectOutputTests {
  private let fixture: PlutilFixture

  init() throws {
    fixture = try PlutilFixture()
  }

  @Test("is that of -o, which is replaced as a whole")
  func output() throws {
    try fixture.folder.write("earlier", to: "page.html")
    try fixture.expect("-inspect -o page.html sample.plist")
    #expect(InspectedPage(try fixture.folder.data("page.html")).names == ["sample.plist"])
    #expect(try fixture.folder.names() == ["page.html", "sample.plist"])
    let run = try Plutil.run(["-inspect", "-o", "-", "sample.plist"], in: fixture.folder)
    #expect(InspectedPage(run.output).names == ["sample.plist"])
    try fixture.expect(
      "-inspect -o none/page.html sample.plist",
      error: "none/page.html: cannot open: No such file or directory\n", status: 1)
  }

  @Test("is never an input")
  func inputs() throws {
    try fixture.folder.link("link", to: "sample.plist")
    let message = "the output would replace the input sample.plist; use -o to choose another file"
    for line in [
      "-o sample.plist sample.plist", "-o ./sample.plist sample.plist", "-o link sample.plist",
      "-o sample.plist --compare sample.plist sample.plist",
    ] {
      try fixture.expectUsageError("-inspect \(line)", message)
    }
    try fixture.folder.makeFolder("folder")
    try fixture.folder.write("key = value;", to: "folder/x.plist")
    try fixture.expectUsageError(
      "-inspect -o folder/x.plist folder",
      "the output would replace the input folder/x.plist; use -o to choose another file")
    #expect(try fixture.folder.text("sample.plist") == PlutilFixture.sample)
    #expect(try fixture.folder.text("folder/x.plist") == "key = value;")
  }

  @Test("may be an earlier page in a folder that is shown")
  func earlierPage() throws {
    try fixture.folder.makeFolder("folder")
    try fixture.folder.write("key = value;", to: "folder/x.plist")
    for _ in 0..<2 { try fixture.expect("-inspect -o folder/page.html folder") }
    #expect(InspectedPage(try fixture.folder.data("folder/page.html")).names == ["folder/x.plist"])
  }

  @Test("at a terminal is report.html, which is not replaced")
  func terminal() throws {
    func show() throws -> (text: String, status: Int32) {
      let terminal = try PseudoTerminal(
        BuiltProgram("plutil").path, ["-inspect", "sample.plist"], in: fixture.folder,
        environment: ["TERM": "xterm", "NO_COLOR": "1"])
      let status = try terminal.exitStatus()
      return (terminal.output.replacing("\r\n", with: "\n"), status)
    }
    let first = try show()
    #expect(first.text == "report.html: written; open it in a browser\n")
    #expect(first.status == 0)
    let data = try fixture.folder.data("report.html")
    #expect(InspectedPage(data).names == ["sample.plist"])
    let second = try show()
    #expect(
      second.text == "report.html: file already exists; use -o report.html to replace it\n")
    #expect(second.status == 1)
    #expect(try fixture.folder.data("report.html") == data)
  }
}
