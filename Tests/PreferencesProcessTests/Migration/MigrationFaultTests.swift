import Foundation
import PropertyList
import TestSupport
import Testing

extension FaultTests {
  /// What becomes of the file itself is tested with all other edits, by ``InjectionTests``.
  @Suite("Faults in a migration") struct MigrationFaultTests {
    private typealias Injection = InjectionTests.Injection

    init() throws {
      // Without strace these tests would prove nothing, so they must fail.
      try #require(SystemCallTrace.obstacle == nil)
    }

    @Test("Killed at each call, a migration leaves a moved value in one of the files")
    func killed() throws {
      let edit = FileEdit.migration
      let calls = try edit.calls()
      var seen: Set<String> = []
      let kills = calls.map { Injection("signal=KILL", in: $0) }
        .filter { seen.insert("\($0)").inserted }
      let new = try edit.contents().new
      let tally = FaultTally.sum(over: kills) { kill in
        let folder = try TemporaryFolder()
        try edit.prepare(folder)
        let original = try folder.data("test.plist")
        let run = try edit.run(
          in: folder,
          wrapper: ["strace", "-f", "-qq", "-o", "/dev/null"]
            + edit.paths(in: folder).flatMap { ["-P", $0] } + ["-e", "inject=\(kill)"])
        var tally = FaultTally(injected: run.status == 128 + SIGKILL ? 1 : 0, acknowledged: 1)
        func values(_ name: String) throws -> PlistDictionary {
          FileManager.default.fileExists(atPath: folder.path(name)) ? try folder.values(name) : [:]
        }
        let isMigrated = try folder.data("test.plist") == new
        if try values("test.plist")["moved"] != 1, try values("other.plist")["moved"] != 1 {
          tally.lost += 1
          tally.complaints.append("\(kill): the value is in neither file")
        }
        if isMigrated, try folder.data("test.plist.version-0") != original {
          tally.lost += 1
          tally.complaints.append("\(kill): the file is migrated and has no backup")
        }
        // The next start migrates what this one did not.
        let again = try edit.run(in: folder)
        let isDone =
          try again.status == 0 && folder.data("test.plist") == new
          && values("other.plist") == ["moved": 1]
          && folder.data("test.plist.version-0") == original
        if !isDone { tally.complaints.append("\(kill): cannot be repeated: \(again.error)") }
        return tally
      }
      // All but the calls of threads that do not make them this time.
      #expect(tally.injected >= kills.count * 9 / 10, "\(tally.injected) of \(kills.count)")
      tally.finish("5 killed at each system call\tstore, values moved by a migration")
    }

    @Test(
      "A full disk leaves the file as it was, and the migration runs once there is room",
      .enabled(if: MountNamespace.obstacle == nil, "\(MountNamespace.obstacle ?? "")"))
    func fullDisk() throws {
      let folder = try TemporaryFolder()
      let padding = String(repeating: "x", count: 9_000)
      try folder.write(
        Plist.write(["old": "value", "padding": .string(padding)], as: .xml), to: "before")
      let disk = try MountNamespace(
        in: folder, "mkdir disk", "mount -t tmpfs -o size=64k none disk",
        "cp before disk/test.plist")
      let migrate = "PreferencesTestProgram \"$PWD/disk/test.plist\" migrate 2"
      var tally = FaultTally()
      // No room for the copy, and then room for the copy alone.
      for (filler, name) in [(50_000, "test.plist.version-0"), (36_000, "test.plist")] {
        disk.run("head -c \(filler) /dev/zero > disk/filler")
        tally.injected += 1
        let run = disk.run(migrate)
        #expect(run.status == 1)
        #expect(
          run.output == "\(folder.path("disk/\(name)")): cannot write: No space left on device\n")
        if disk.run("cmp disk/test.plist before").status != 0 { tally.unreadable += 1 }
        let names = disk.run("ls -A disk").output.split(separator: "\n")
        tally.stray +=
          Set(names)
          .subtracting([".test.plist.lock", "filler", "test.plist", "test.plist.version-0"]).count
      }
      disk.run("rm disk/filler")
      #expect(disk.run(migrate).output == "ready\n")
      #expect(disk.run("plutil -extract new raw disk/test.plist").output == "value\n")
      #expect(disk.run("cmp disk/test.plist.version-0 before").status == 0)
      tally.acknowledged += 1
      tally.finish("11 a full disk\tstore, a migration")
    }
  }
}
