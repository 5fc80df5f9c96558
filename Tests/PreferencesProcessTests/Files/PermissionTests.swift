import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Files and folders with unusual permissions") struct PermissionTests {
    let folder: TemporaryFolder
    /// The test program, where any user can run it.
    private let program: String

    init() throws {
      folder = try TemporaryFolder()
      program = folder.path("program")
      let original = BuiltProgram("PreferencesTestProgram")
      // By another process: a program cannot be run while this one, or a child that another test
      // starts meanwhile, has it open for writing.
      try #require(original.run("/bin/cp", [original.path, program], in: folder).status == 0)
      try #require(chmod(folder.path, 0o755) == 0 && chmod(program, 0o755) == 0)
      try FileManager.default.createDirectory(
        atPath: folder.path("inner"), withIntermediateDirectories: false)
      try PreferencesStore(fileAt: path).update { $0["old"] = "value" }
      try OtherUser.own(
        folder.path("inner"), path, folder.path("inner/.test.plist.lock"))
    }

    private var path: String { folder.path("inner/test.plist") }

    /// Runs the program as a user without privileges.
    private func run(_ verb: String..., wrapper: [String] = []) throws -> BuiltProgram.Run {
      try BuiltProgram("PreferencesTestProgram").run(
        "/usr/bin/env", wrapper + OtherUser.command + [program, path] + verb, in: folder)
    }

    @Test("A lock file that is closed to a user who may write the file is replaced")
    func closedLock() throws {
      let lock = folder.path("inner/.test.plist.lock")
      try #require(chmod(lock, 0) == 0)
      let run = try run("set", "key", "x")
      #expect(run.error == "")
      #expect(try folder.values("inner/test.plist") == ["old": "value", "key": "x"])
      #expect(try folder.names("inner") == [".test.plist.lock", "test.plist"])
      var information = stat()
      #expect(stat(lock, &information) == 0 && information.st_mode & 0o777 == 0o600)
    }

    @Test(
      "A lock file of root's becomes that of the group when the file does",
      .enabled(if: getuid() == 0, "giving files to other users needs root"))
    func groupLock() throws {
      let lock = folder.path("inner/.test.plist.lock")
      for path in [folder.path("inner"), path, lock] {
        try #require(chown(path, 0, OtherUser.identifier) == 0)
      }
      try #require(chmod(folder.path("inner"), 0o770) == 0 && chmod(path, 0o660) == 0)
      #expect(try run("set", "key", "x").error == "")
      #expect(try folder.values("inner/test.plist") == ["old": "value", "key": "x"])
      #expect(try run("set", "key", "y").error == "")
    }

    @Test("Processes that find a closed lock file lose nothing")
    func closedLockStorm() throws {
      try #require(chmod(folder.path("inner/.test.plist.lock"), 0) == 0)
      let processes = try (0..<8).map {
        try TestProcess(
          command: OtherUser.command + [program, path, "write-keys", "key\($0)-", "5"])
      }
      TestProcess.finish(processes)
      #expect(try folder.values("inner/test.plist").count == 41)
      #expect(try folder.names("inner") == [".test.plist.lock", "test.plist"])
    }

    @Test("A folder that may not be read is saved to, and the whole file system is synced")
    func unreadableFolder() throws {
      try #require(chmod(folder.path("inner"), 0o311) == 0)
      defer { chmod(folder.path("inner"), 0o755) }
      let run = try run(
        "set", "key", "x",
        wrapper: ["strace", "-f", "-o", folder.path("trace"), "-e", "trace=fsync,syncfs,renameat"])
      #expect(run.error == "")
      let calls = try folder.text("trace").split(separator: "\n")
        .compactMap { $0.firstMatch(of: /(fsync|syncfs|renameat)\(.*= 0/).map { String($0.1) } }
      #expect(calls == ["fsync", "renameat", "syncfs"])
      #expect(chmod(folder.path("inner"), 0o755) == 0)
      #expect(try folder.values("inner/test.plist") == ["old": "value", "key": "x"])
    }

    @Test("A folder that may only be passed is read from, and refuses to save")
    func closedFolder() throws {
      try #require(chmod(folder.path("inner"), 0o111) == 0)
      defer { chmod(folder.path("inner"), 0o755) }
      #expect(try run("print-value", "old").text == "value\n")
      #expect(
        try run("set", "key", "x").error
          == "\(path): cannot create a file in its folder: Permission denied\n")
    }

    @Test(
      "All tools say alike that a file is read-only, or that its folder is",
      .enabled(if: getuid() == 0, "giving files to other users needs root"))
    func readOnly() throws {
      let edits = [
        ["defaults", "write", path, "old", "x"],
        ["plutil", "-replace", "old", "-string", "x", path],
        ["PlistBuddy", "-c", "Set :old x", path],
      ]
      func expect(_ error: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for edit in edits {
          let original = BuiltProgram(edit[0])
          let tool = folder.path(edit[0])
          try #require(original.run("/bin/cp", [original.path, tool], in: folder).status == 0)
          let run = try original.run(
            "/usr/bin/env", OtherUser.command + [tool] + edit.dropFirst(), in: folder)
          #expect(run.error.split(separator: "\n").last ?? "" == "\(path): \(error)", "\(edit[0])")
          #expect(run.status == 1)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      }
      try #require(chown(path, 0, 0) == 0 && chmod(path, 0o644) == 0)
      try expect("the file is read-only")
      #expect(try folder.names("inner") == ["test.plist"])
      try OtherUser.own(path)
      try #require(chown(folder.path("inner"), 0, 0) == 0)
      try expect("cannot create a file in its folder: Permission denied")
    }

    @Test(
      "The environment of a set-user-ID program is ignored",
      .enabled(if: getuid() == 0, "making a program another user's needs root"))
    func setUserIdentifier() throws {
      try #require(chown(program, OtherUser.identifier, 0) == 0 && chmod(program, 0o4755) == 0)
      let run = try BuiltProgram("PreferencesTestProgram").run(
        "/usr/bin/env", ["HOME=/h", "XDG_CONFIG_HOME=/c", program, path, "print-folder"],
        in: folder)
      let entry = try #require(getpwuid(OtherUser.identifier))
      #expect(run.text == String(cString: entry.pointee.pw_dir) + "/.config\n")
    }
  }
}
