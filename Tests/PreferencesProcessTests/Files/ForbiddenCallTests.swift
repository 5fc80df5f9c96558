import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A process that a filter of system calls keeps from attributes of files")
  struct ForbiddenCallTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try #require(Trace.obstacle == nil)
      try PreferencesStore(fileAt: folder.file).update { $0["old"] = "value" }
    }

    private func python(_ script: String) throws -> String {
      let run = try BuiltProgram("PreferencesTestProgram").run(
        "/usr/bin/python3", ["-c", "import os, struct, sys\n" + script, folder.file], in: folder)
      return run.text + run.error
    }

    /// Lets a process that may not make a call set a value.
    private func save(without call: String, code: String, when: String = "1+") throws {
      let process = try TestProcess(
        folder.file, "set", "key", "x",
        wrapper: Trace.injection(call, "error=\(code)", when: when, in: folder))
      TestProcess.finish([process])
      #expect(try folder.values() == ["old": "value", "key": "x"])
    }

    private func mode() throws -> mode_t {
      var information = stat()
      try #require(stat(folder.file, &information) == 0)
      return information.st_mode & 0o7777
    }

    @Test(
      "It saves, and gives the group what all users have",
      arguments: [
        ("EPERM", 0o600, 0o600), ("ENOSYS", 0o664, 0o644), ("EACCES", 0o640, 0o600),
        ("EPERM", 0o444 | 0o200, 0o644),
      ] as [(String, mode_t, mode_t)])
    func listing(code: String, old: mode_t, new: mode_t) throws {
      try #require(chmod(folder.file, old) == 0)
      try save(without: "flistxattr", code: code)
      #expect(try mode() == new)
    }

    @Test("A file without attributes keeps its permissions where only these cannot be read or set")
    func nothingToKeep() throws {
      try #require(chmod(folder.file, 0o664) == 0)
      try save(without: "fgetxattr,fsetxattr", code: "EPERM")
      #expect(try mode() == 0o664)
    }

    @Test(
      "An access control list that cannot be kept gives nobody more",
      arguments: ["flistxattr", "fgetxattr", "fsetxattr"], ["EPERM", "ENOSYS", "EACCES"])
    func accessList(call: String, code: String) throws {
      // user::rw- user:1:rw- group::--- mask::rw- other::---
      let error = try python(
        """
        entries = [(1, 6, -1), (2, 6, 1), (4, 0, -1), (16, 6, -1), (32, 0, -1)]
        value = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
        os.setxattr(sys.argv[1], "system.posix_acl_access", value)
        """)
      try #require(error == "")
      try #require(try mode() == 0o660)
      try save(without: call, code: code)
      #expect(try mode() == 0o600)
    }

    @Test(
      "Other attributes that cannot be read or set are left out",
      arguments: ["fgetxattr", "fsetxattr"])
    func attribute(call: String) throws {
      try #require(try python(#"os.setxattr(sys.argv[1], "user.note", b"x")"#) == "")
      try #require(chmod(folder.file, 0o664) == 0)
      try save(without: call, code: "EPERM")
      #expect(try mode() == 0o664)
      #expect(try python("print(os.listxattr(sys.argv[1]))") == "[]\n")
    }

    @Test("A call that fails for another reason still fails the save")
    func otherFailure() throws {
      try #require(try python(#"os.setxattr(sys.argv[1], "user.note", b"x")"#) == "")
      let process = try TestProcess(
        folder.file, "set", "key", "x",
        wrapper: Trace.injection("fsetxattr", "error=ENOSPC", when: "1+", in: folder))
      #expect(process.wait() == 1)
      #expect(process.errorText().contains("user.note"))
      #expect(try folder.values() == ["old": "value"])
    }
  }
}
