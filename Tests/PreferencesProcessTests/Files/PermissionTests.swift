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
      try BuiltProgram("PreferencesTestProgram").copy(to: "program", in: folder)
      try #require(chmod(folder.path, 0o755) == 0)
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

    /// A file that a process may write but does not own: the owners and permissions of the folder
    /// and the file, the process, and the resulting owners and permissions of the file.
    struct ForeignFile: CustomTestStringConvertible {
      var testDescription: String
      var folder: (user: uid_t, group: gid_t, mode: mode_t)
      var file: (user: uid_t, group: gid_t, mode: mode_t)
      var process: [String]
      var result: (user: uid_t, group: gid_t, mode: mode_t)
    }

    static let foreignFiles = [
      ForeignFile(
        testDescription: "the group shares a folder of root's",
        folder: (0, 65534, 0o2775), file: (0, 65534, 0o664), process: OtherUser.command,
        result: (65534, 65534, 0o664)),
      ForeignFile(
        testDescription: "a container runs with any user and the group of root",
        folder: (0, 0, 0o775), file: (0, 0, 0o664),
        process: ["setpriv", "--reuid=54321", "--regid=0", "--clear-groups"],
        result: (54321, 0, 0o664)),
      ForeignFile(
        testDescription: "root has put a file into the folder that all may write",
        folder: (65534, 65534, 0o755), file: (0, 0, 0o676), process: OtherUser.command,
        result: (65534, 65534, 0o666)),
      ForeignFile(
        testDescription: "root may not give files away",
        folder: (1234, 5678, 0o750), file: (1234, 5678, 0o4640),
        process: ["setpriv", "--bounding-set=-chown"], result: (0, 0, 0o600)),
    ]

    @Test(
      "A file that the process may write is saved though its owner cannot be kept, and that is told",
      .enabled(if: getuid() == 0, "giving files to other users needs root"),
      arguments: foreignFiles)
    func foreignFile(_ test: ForeignFile) throws {
      let lock = folder.path("inner/.test.plist.lock")
      for path in [path, lock] {
        try #require(chown(path, test.file.user, test.file.group) == 0)
      }
      try #require(chmod(path, test.file.mode) == 0)
      try #require(chown(folder.path("inner"), test.folder.user, test.folder.group) == 0)
      try #require(chmod(folder.path("inner"), test.folder.mode) == 0)
      func save() throws -> BuiltProgram.Run {
        try BuiltProgram("PreferencesTestProgram").run(
          "/usr/bin/env", test.process + [program, path, "fail", "event-handler"], in: folder)
      }
      let old = "\(test.file.user):\(test.file.group)"
      let new = "\(test.result.user):\(test.result.group)"
      #expect(
        try save().text
          == "\(path): the file now belongs to \(new) instead of \(old), "
          + "to whom this process may not give it\n")
      #expect(try folder.values("inner/test.plist") == ["old": "value", "secret": "hidden"])
      var information = stat()
      try #require(stat(path, &information) == 0)
      #expect(information.st_uid == test.result.user && information.st_gid == test.result.group)
      #expect(information.st_mode & 0o7777 == test.result.mode)
      // After this nothing changes.
      let again = try save()
      #expect(again.text == "" && again.error == "")
    }

    @Test(
      "A group that cannot be kept gives the access control list's permissions to no other",
      .enabled(if: getuid() == 0, "giving files to other users needs root"))
    func foreignGroupWithList() throws {
      let user = OtherUser.identifier
      // user::rw- user:other:rw- group::rw- mask::rw- other::r--
      let set = """
        import os, struct, sys
        entries = [(1, 6, -1), (2, 6, \(user)), (4, 6, -1), (16, 6, -1), (32, 4, -1)]
        value = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
        os.setxattr(sys.argv[1], "system.posix_acl_access", value)
        """
      let get = """
        import os, struct, sys
        value = os.getxattr(sys.argv[1], "system.posix_acl_access")
        print([entry[:2] for entry in struct.iter_unpack("<HHi", value[4:])])
        """
      func python(_ script: String) throws -> String {
        let run = try BuiltProgram("PreferencesTestProgram").run(
          "/usr/bin/python3", ["-c", script, path], in: folder)
        return run.text + run.error
      }
      try #require(chown(path, 0, 1234) == 0)
      try #require(try python(set) == "")
      #expect(try run("set", "key", "x").error == "")
      #expect(try folder.values("inner/test.plist") == ["old": "value", "key": "x"])
      #expect(try python(get) == "[(1, 6), (2, 6), (4, 4), (16, 6), (32, 4)]\n")
      var information = stat()
      try #require(stat(path, &information) == 0)
      #expect(information.st_uid == user && information.st_gid == user)
    }

    @Test(
      "What root saves first in the folder of a service belongs to the service",
      .enabled(if: getuid() == 0, "giving files to other users needs root"))
    func createdByRoot() throws {
      try #require(unlink(path) == 0 && unlink(folder.path("inner/.test.plist.lock")) == 0)
      try PreferencesStore(fileAt: path).update { $0["old"] = "root's" }
      for name in ["test.plist", ".test.plist.lock"] {
        var information = stat()
        try #require(stat(folder.path("inner/\(name)"), &information) == 0)
        #expect(information.st_uid == OtherUser.identifier, "\(name)")
        #expect(information.st_gid == OtherUser.identifier, "\(name)")
        #expect(information.st_mode & 0o777 == 0o600, "\(name)")
      }
      #expect(try run("set", "key", "x").error == "")
      #expect(try folder.values("inner/test.plist") == ["old": "root's", "key": "x"])
    }

    @Test(
      "A lock file that cannot be opened is named",
      .enabled(if: getuid() == 0, "giving files to other users needs root"))
    func lockFileOfOthers() throws {
      try #require(chmod(folder.path("inner/.test.plist.lock"), 0) == 0)
      try #require(chown(folder.path("inner"), 0, 0) == 0)
      #expect(
        try run("set", "key", "x").error
          == "\(path): cannot open the lock file .test.plist.lock: Permission denied\n")
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
          try original.copy(to: edit[0], in: folder)
          let run = try original.run(
            "/usr/bin/env", OtherUser.command + [folder.path(edit[0])] + edit.dropFirst(),
            in: folder)
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
      let home = String(cString: entry.pointee.pw_dir)
      #expect(
        run.text
          == (home == "/nonexistent" ? "/dev/null/no-user-folder\n" : home + "/.config\n"))
    }
  }
}
