import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Processes that migrate a domain") struct MigrationProcessTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ values: PlistDictionary, as format: PlistFormat = .xml) throws {
      try folder.write(Plist.write(.dictionary(values), as: format), to: "test.plist")
    }

    @Test("32 processes that start at once migrate once", arguments: [PlistFormat.xml, .binary])
    func atOnce(format: PlistFormat) throws {
      try write(["old": "value", "moved": 1], as: format)
      let before = try folder.data("test.plist")
      let processes = try (0..<32).map { _ in try TestProcess(folder.file, "migrate-together", "2")
      }
      for process in processes { #expect(process.readLine() == "waiting") }
      for process in processes { process.writeLine("go") }
      for process in processes { #expect(process.readLine() == "ready") }
      TestProcess.finish(processes)
      #expect(try folder.values() == ["new": "value", "steps": 2, "LarderVersion": 2])
      #expect(try folder.values("other.plist") == ["moved": 1])
      #expect(try folder.data("test.plist.version-0") == before)
      #expect(
        try folder.names() == [
          ".other.plist.lock", ".test.plist.lock", "other.plist", "test.plist",
          "test.plist.version-0",
        ])
      let document = try Plist.read(folder.data("test.plist"))
      #expect(document.format == format)
    }

    @Test("Older and newer versions take turns, and only newer ones change the domain")
    func inTurn() throws {
      try write(["old": "value"])
      func open(_ version: Int) throws -> String {
        let process = try TestProcess(folder.file, "migrate", "\(version)")
        let line = process.readLine()
        return process.wait() == 0 ? line ?? "" : process.errorText()
      }
      func isTooOld(_ known: Int, for found: Int) -> String {
        "\(folder.file): the preferences have version \(found); this program knows versions up to "
          + "\(known) and does not change them\n"
      }
      #expect(try open(1) == "ready")
      #expect(try folder.values() == ["new": "value", "steps": 1, "LarderVersion": 1])
      #expect(try open(2) == "ready")
      #expect(try open(1) == isTooOld(1, for: 2))
      #expect(try open(2) == "ready")
      #expect(try folder.values() == ["new": "value", "steps": 2, "LarderVersion": 2])
      #expect(try open(3) == "ready")
      #expect(try open(2) == isTooOld(2, for: 3))
      #expect(try open(1) == isTooOld(1, for: 3))
      #expect(try folder.values() == ["new": "value", "steps": 3, "LarderVersion": 3])
      #expect(
        try folder.names() == [
          ".test.plist.lock", "test.plist", "test.plist.version-1", "test.plist.version-2",
        ])
    }

    @Test("What a running process has set is not saved into a domain that a newer one has migrated")
    func whileRunning() throws {
      try write(["old": "value"])
      let older = try TestProcess(folder.file, "set-migrated", "1", "new", "changed")
      #expect(older.readLine() == "ready")
      TestProcess.finish([try TestProcess(folder.file, "migrate", "2")])
      let migrated = try folder.data("test.plist")
      older.writeLine("go")
      #expect(older.wait() == 1)
      #expect(
        older.errorText()
          == "\(folder.file): the preferences have version 2; this program knows versions up to 1 "
          + "and does not change them\n")
      #expect(try folder.data("test.plist") == migrated)
    }

    @Test("A domain whose file is removed meanwhile keeps its version")
    func removedWhileRunning() throws {
      try write(["old": "value"])
      let process = try TestProcess(folder.file, "set-migrated", "2", "key", "x")
      #expect(process.readLine() == "ready")
      try FileManager.default.removeItem(atPath: folder.file)
      process.writeLine("go")
      TestProcess.finish([process])
      #expect(try folder.values() == ["key": "x", "LarderVersion": 2])
    }

    @Test("A step that fails leaves the file as it was, and says which step and why")
    func failingStep() throws {
      try write(["old": "value", "refused": true])
      let before = try folder.data("test.plist")
      let process = try TestProcess(folder.file, "migrate", "3")
      #expect(process.wait() == 1)
      #expect(
        process.errorText()
          == "\(folder.file): the migration to version 3 failed: there is a value that is refused\n"
      )
      #expect(try folder.data("test.plist") == before)
      #expect(try folder.names() == [".test.plist.lock", "test.plist"])
    }

    @Test("A folder that may only be read is not migrated")
    func readOnlyFolder() throws {
      let program = folder.path("program")
      try BuiltProgram("PreferencesTestProgram").copy(to: "program", in: folder)
      try write(["old": "value"])
      let before = try folder.data("test.plist")
      try #require(chmod(folder.file, 0o644) == 0 && chmod(folder.path, 0o555) == 0)
      defer { chmod(folder.path, 0o755) }
      let run = try BuiltProgram("PreferencesTestProgram").run(
        "/usr/bin/env", OtherUser.command + [program, folder.file, "migrate", "2"], in: folder)
      #expect(run.status == 1)
      #expect(
        run.error
          == "\(folder.file): cannot create a file in its folder: Permission denied\n")
      #expect(try folder.data("test.plist") == before)
      #expect(try folder.names() == ["program", "test.plist"])
    }
  }
}
