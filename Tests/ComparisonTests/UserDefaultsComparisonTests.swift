import Foundation
import PropertyList
import TestSupport
import Testing

/// The cells of the table of preferences on the page `Evidence.md`: the same small tool, with Larder and with
/// Foundation's UserDefaults.
@Suite("Preferences that are saved", .serialized)
struct UserDefaultsComparisonTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func tool(_ name: String, folder path: String? = nil) -> BuiltProgram {
    var program = BuiltProgram(name)
    program.environment = ["XDG_CONFIG_HOME": path ?? folder.path]
    return program
  }

  private func values(of tool: String) throws -> PlistValue {
    try Plist.read(folder.data("\(tool).plist")).value
  }

  // MARK: Many programs

  /// Sets as many keys at once, each in a separate process, and returns how many are in the file.
  private func set(_ count: Int, with tool: String) throws -> Int {
    let program = self.tool(tool)
    let run = try program.run(
      "/bin/sh",
      [
        "-c", "for i in $(seq \(count)); do \"$0\" \"k$i\" \"$i\" & done; wait", program.path,
      ], in: folder)
    try #require(run.status == 0, "\(run.error)")
    guard case .dictionary(let values) = try values(of: tool) else { return 0 }
    return values.count
  }

  @Test("Of keys that many programs set at once, Larder keeps all")
  func manyWithLarder() throws {
    for _ in 1...5 { #expect(try set(20, with: "PreferencesTool") == 20) }
  }

  @Test("Of keys that many programs set at once, Foundation loses some")
  func manyWithFoundation() throws {
    // Which keys are lost depends on timing, so this is repeated until one is.
    for _ in 1...100 {
      try? FileManager.default.removeItem(atPath: folder.path("UserDefaultsTool.plist"))
      if try set(20, with: "UserDefaultsTool") < 20 { return }
    }
    Issue.record("no key was lost in 100 rounds")
  }

  // MARK: Files that cannot be read

  @Test("A file that cannot be read is left as it is by Larder, which says so")
  func damagedWithLarder() throws {
    try folder.write("<plist><dict>", to: "PreferencesTool.plist")
    let run = try tool("PreferencesTool").run(["key", "1"], in: folder)
    #expect(run.error.contains("PreferencesTool.plist: line 1 column 14: expected </dict>"))
    #expect(try folder.text("PreferencesTool.plist") == "<plist><dict>")
  }

  @Test("A file that cannot be read is replaced by Foundation, silently")
  func damagedWithFoundation() throws {
    try folder.write("<plist><dict>", to: "UserDefaultsTool.plist")
    let run = try tool("UserDefaultsTool").run(["key", "1"], in: folder)
    #expect(run.error == "")
    #expect(try values(of: "UserDefaultsTool") == ["key": 1])
  }

  // MARK: Failures to save

  @Test(
    "Values that cannot be saved are reported by Larder, not by Foundation",
    arguments: [
      (
        "PreferencesTool",
        "Larder: /dev/null/PreferencesTool.plist: cannot open: Not a directory; changes are not saved\n"
      ),
      ("UserDefaultsTool", ""),
    ])
  func unsaved(name: String, error: String) throws {
    let run = try tool(name, folder: "/dev/null").run(["key", "1"], in: folder)
    #expect(run.error == error)
  }
}
