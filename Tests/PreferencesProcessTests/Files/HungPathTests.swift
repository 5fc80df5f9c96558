import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A path that does not answer") struct HungPathTests {
    let folder: TemporaryFolder
    private let wrapper: [String]

    init() throws {
      folder = try TemporaryFolder()
      wrapper = try OtherSystem.command([
        "LARDER_HUNG_PATH": folder.path("hung"), "LARDER_HUNG_WHILE": folder.path("flag"),
      ])
      try FileManager.default.createDirectory(
        atPath: folder.path("hung"), withIntermediateDirectories: false)
      for path in [folder.file, other] {
        try PreferencesStore(fileAt: path).update { $0["theirs"] = "first" }
      }
    }

    private var other: String { folder.path("hung/test.plist") }

    @Test("Other files are watched and saved, new stores opened, and forks made")
    func others() throws {
      let process = try TestProcess(folder.file, "follow-beside", other, wrapper: wrapper)
      #expect(process.readLine() == "ready")
      try folder.write("", to: "flag")
      // The watcher checks the hung file, and the way to it.
      try PreferencesStore(fileAt: other).update { $0["theirs"] = "last" }
      try FileManager.default.moveItem(
        atPath: folder.path("hung"), toPath: folder.path("hung-away"))
      try FileManager.default.moveItem(
        atPath: folder.path("hung-away"), toPath: folder.path("hung"))
      process.writeLine("")
      for value in ["second", "third", "last"] {
        try PreferencesStore(fileAt: folder.file).update { $0["theirs"] = .string(value) }
        #expect(process.readLine() == value)
      }
      #expect(process.readLine() == "new")
      #expect(try eventually { try folder.values() == ["own": "x", "theirs": "last"] })
      #expect(try folder.values("hung/test.plist") == ["theirs": "last"])
      try FileManager.default.removeItem(atPath: folder.path("flag"))
      TestProcess.finish([process])
      #expect(try folder.values("hung/test.plist") == ["own": "x", "theirs": "last"])
    }

    @Test("Other files are saved at the end of the process, which comes in time")
    func end() throws {
      let process = try TestProcess(folder.file, "end-beside", other, wrapper: wrapper)
      #expect(process.readLine() == "ready")
      try folder.write("", to: "flag")
      process.writeLine("")
      TestProcess.finish([process])
      #expect(try folder.values() == ["own": "x", "theirs": "first"])
      #expect(try folder.values("hung/test.plist") == ["theirs": "first"])
    }
  }
}
