import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing

/// Commands that run the test program under strace.
enum Trace {
  /// Why system calls cannot be traced here; nil if they can.
  static let obstacle: String? = {
    guard let folder = try? TemporaryFolder() else { return "no temporary folder" }
    let run = try? BuiltProgram("PreferencesTestProgram").run(
      "/usr/bin/env", ["strace", "-o", "/dev/null", "true"], in: folder)
    guard let run else { return "nothing can be run" }
    return run.status == 0 ? nil : "strace does not work here: \(run.error)"
  }()

  /// An strace command that injects a fault into a system call on the file `test.plist` of a
  /// folder, its lock file, its temporary file or the folder itself.
  ///
  /// - Parameter when: Which of these calls fail, in strace's syntax: `2` for the second, `1+`
  ///   for all.
  static func injection(
    _ call: String, _ fault: String, when: String, in folder: TemporaryFolder
  ) -> [String] {
    let names = ["test.plist", ".test.plist.lock", ".test.plist.new"]
    let paths = [folder.path] + names.map(folder.path)
    return ["strace", "-f", "-qq", "-o", "/dev/null"] + paths.flatMap { ["-P", $0] }
      + ["-e", "inject=\(call):\(fault):when=\(when)"]
  }
}

extension ProcessTests {
  @Suite("The system calls of a commit") struct TraceTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      // Without strace these tests would prove nothing, so they must fail.
      try #require(Trace.obstacle == nil)
    }

    private func prepare() throws {
      try PreferencesStore(fileAt: folder.file).update { $0["old"] = "value" }
    }

    @Test("The file is synced, then renamed, then the folder is synced")
    func order() throws {
      try prepare()
      let trace = folder.path("trace")
      let process = try TestProcess(
        folder.file, "set", "key", "x",
        wrapper: [
          "strace", "-f", "-y", "-o", trace, "-e", "trace=fsync,renameat,write,fcntl,unlinkat",
        ])
      TestProcess.finish([process])
      let calls = try folder.text("trace").split(separator: "\n").compactMap { line -> String? in
        let line = String(line)
        if line.contains("F_OFD_SETLK, {l_type=F_WRLCK") { return "lock" }
        if line.contains("F_OFD_SETLK, {l_type=F_UNLCK") { return "unlock" }
        if line.contains("renameat(") { return "rename" }
        if line.contains("write("), line.contains(".test.plist.new>") { return "write" }
        if line.contains("fsync("), line.contains(".test.plist.new>") { return "fsync file" }
        if line.contains("fsync("), line.contains("<\(folder.path)>") { return "fsync folder" }
        return nil
      }
      #expect(
        calls == ["lock", "write", "fsync file", "rename", "fsync folder", "unlock"], "\(calls)")
    }

    /// System calls of a commit, the errors injected, and which of the calls fail.
    static let faults: [(call: String, code: String, when: String)] = [
      ("write", "EIO", "1"), ("write", "ENOSPC", "1"), ("write", "EDQUOT", "1"),
      ("fsync", "EIO", "1"), ("fsync", "ENOSPC", "1"), ("fsync", "EIO", "2"),
      ("renameat", "EIO", "1"), ("renameat", "ENOSPC", "1"), ("renameat", "EROFS", "1"),
      ("fchmod", "EIO", "1"), ("unlinkat", "EIO", "1"), ("fcntl", "EIO", "1"),
      ("fcntl", "EIO", "2"), ("flistxattr", "EIO", "1"),
    ]

    @Test(
      "A failing call is reported, the old file stays whole, and another attempt saves",
      arguments: faults)
    func failures(call: String, code: String, when: String) throws {
      try prepare()
      // Files that a killed process has left are removed first.
      if call == "unlinkat" { try folder.write("", to: ".test.plist.new") }
      let process = try TestProcess(
        folder.file, "flush-twice", "key", "x",
        wrapper: Trace.injection(call, "error=\(code)", when: when, in: folder))
      let first = process.readLine() ?? ""
      let second = process.readLine() ?? ""
      TestProcess.finish([process])
      #expect(first.hasPrefix("\(folder.file): cannot "), "\(first)")
      #expect(second == "saved later")
      #expect(try folder.values() == ["old": "value", "key": "x"])
      #expect(try folder.names() == [".test.plist.lock", "test.plist"])
    }

    @Test(
      "A call that always fails leaves the old file and nothing else",
      arguments: [
        ("write", "ENOSPC"), ("fsync", "EIO"), ("renameat", "EIO"), ("fchmod", "EPERM"),
        ("fcntl", "ENOLCK"),
      ])
    func lasting(call: String, code: String) throws {
      try prepare()
      let before = try folder.data("test.plist")
      let process = try TestProcess(
        folder.file, "set", "key", "x",
        wrapper: Trace.injection(call, "error=\(code)", when: "1+", in: folder))
      #expect(process.wait() == 1)
      #expect(try folder.data("test.plist") == before)
      #expect(try folder.names() == [".test.plist.lock", "test.plist"])
    }

    @Test(
      "An interrupted call is repeated",
      arguments: ["openat", "read", "fcntl", "write", "fsync"])
    func interruptions(call: String) throws {
      try prepare()
      let process = try TestProcess(
        folder.file, "set", "key", "x",
        wrapper: Trace.injection(call, "error=EINTR", when: "1+2", in: folder))
      TestProcess.finish([process])
      #expect(try folder.values() == ["old": "value", "key": "x"])
    }

    @Test("A file whose folder could not be synced is written again")
    func suspicion() throws {
      try prepare()
      let trace = folder.path("trace")
      // The second fsync is the folder's, when the new content is already in place.
      let process = try TestProcess(
        folder.file, "flush-twice", "key", "x",
        wrapper: [
          "strace", "-f", "-o", trace, "-e", "trace=fsync,renameat", "-e",
          "inject=fsync:error=EIO:when=2",
        ])
      #expect(
        process.readLine() == "\(folder.file): cannot sync the file to disk: Input/output error")
      TestProcess.finish([process])
      let calls = try folder.text("trace").split(separator: "\n")
        .compactMap { $0.firstMatch(of: /(fsync|renameat)\(/).map { String($0.1) } }
      #expect(calls == ["fsync", "renameat", "fsync", "fsync", "renameat", "fsync"])
    }
  }
}
