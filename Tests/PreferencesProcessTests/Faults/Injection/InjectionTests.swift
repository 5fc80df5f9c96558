import Foundation
import PropertyList
import TestSupport
import Testing

extension FaultTests {
  @Suite("Faults in each system call of each program") struct InjectionTests {
    init() throws {
      // Without strace these tests would prove nothing, so they must fail.
      try #require(SystemCallTrace.obstacle == nil)
    }

    /// A fault in one of the system calls on the file, its folder, its lock or its temporary file.
    struct Injection: Sendable, CustomStringConvertible {
      /// The name of the system call.
      var call: String
      /// In strace's syntax, such as `error=EIO` or `signal=KILL`.
      var fault: String
      /// The calls of this name that fail, in strace's syntax, counted among those on the files.
      var when: String
      /// Whether the first of them concerns the lock file.
      var isAboutLock: Bool

      /// - Parameter suffix: What follows the number of the first call that fails.
      init(_ fault: String, in call: SystemCallTrace.Call, suffix: String = "") {
        self.call = call.name
        self.fault = fault
        when = "\(call.number)\(suffix)"
        isAboutLock = call.arguments.contains(".lock")
      }

      var description: String { "\(call):\(fault):when=\(when)" }
      var kills: Bool { fault == "signal=KILL" }
      /// Whether it may keep a tool from removing its lock file.
      var mayLeaveLockFile: Bool {
        kills || isAboutLock || call == "unlinkat" || when.contains("+")
      }
    }

    static let errors = ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EINTR", "EMFILE", "EACCES"]

    /// Runs a program with a fault, checks what has become of the file, and runs it again.
    private static func inject(
      _ injection: Injection, into edit: FileEdit, _ contents: (old: Data?, new: Data)
    ) throws -> FaultTally {
      let folder = try TemporaryFolder()
      try edit.prepare(folder)
      let trace = try TemporaryFolder()
      let run = try edit.run(
        in: folder,
        wrapper: ["strace", "-f", "-qq", "-o", trace.path("trace")]
          + edit.paths(in: folder).flatMap { ["-P", $0] } + ["-e", "inject=\(injection)"])
      let happened =
        try injection.kills
        ? run.status == 128 + SIGKILL : trace.text("trace").contains("(INJECTED)")
      var tally = FaultTally(injected: happened ? 1 : 0)
      func complain(_ text: String) {
        tally.complaints.append(
          "\(edit), \(injection): \(text) (status \(run.status): \(run.error))")
      }
      let found = try? folder.data("test.plist")
      if found != contents.old, found != contents.new {
        tally.unreadable += 1
        complain("neither the old file nor the new one: \(found?.count ?? -1) bytes")
      }
      switch run.status {
      case 0:
        tally.acknowledged += 1
        if found != contents.new {
          tally.lost += 1
          complain("the write was acknowledged and is lost")
        }
      case 128 + SIGKILL where injection.kills: break
      case 1:
        // defaults prints an additional first line.
        let lines = edit.description.hasPrefix("defaults") ? 1...2 : 1...1
        if !lines.contains(run.error.split(separator: "\n").count) { complain("not an error") }
      default: complain("an unexpected end")
      }
      let allowed = edit.allowedNames(lockFile: injection.mayLeaveLockFile)
      func countStrays(_ when: String) throws {
        let strays = Set(try folder.names()).subtracting(allowed)
        tally.stray += strays.count
        if !strays.isEmpty { complain("\(when): \(strays)") }
      }
      let mayLeave = injection.kills || injection.call == "unlinkat"
      if !mayLeave { try countStrays("left") }

      // Once the fault is gone, the same command succeeds, and the next one cleans up.
      if found == contents.old {
        let again = try edit.run(in: folder)
        if again.status != 0 || (try? folder.data("test.plist")) != contents.new {
          complain("cannot be repeated: \(again.error)")
        }
      } else if mayLeave {
        let next = try BuiltProgram("plutil").run(
          ["-replace", "next", "-integer", "1", folder.path("test.plist")], in: folder)
        if next.status != 0 { complain("the next command fails: \(next.error)") }
      }
      try countStrays("left after the next command")
      return tally
    }

    private static func check(
      _ title: String, _ edit: FileEdit, _ injections: (SystemCallTrace.Call) -> [Injection]
    ) throws {
      let contents = try edit.contents()
      let calls = try edit.calls()
      // At least opening, locking, writing, syncing, renaming and closing.
      #expect(
        Set(calls.map(\.name))
          .isSuperset(of: ["openat", "fcntl", "write", "fsync", "renameat", "close"]))
      // Several threads may make their first call of a kind, for example.
      var seen: Set<String> = []
      let all = calls.flatMap(injections).filter { seen.insert("\($0)").inserted }
      let tally = FaultTally.sum(over: all) { try inject($0, into: edit, contents) }
      // All but the calls of threads that do not make them this time.
      #expect(tally.injected >= all.count * 9 / 10, "\(tally.injected) of \(all.count)")
      tally.finish("\(title)\t\(edit)")
    }

    @Test(
      "Killed at each call, a program leaves the old file or the new one",
      arguments: TestScale.isExhaustive ? FileEdit.all : FileEdit.ofEachProgram)
    func killed(edit: FileEdit) throws {
      try Self.check("5 killed at each system call", edit) {
        [Injection("signal=KILL", in: $0)]
      }
    }

    @Test(
      "An error of each call leaves the old file or the new one, is reported unless it is harmless, and another run succeeds",
      arguments: TestScale.isExhaustive ? FileEdit.all : FileEdit.ofEachProgram)
    func failing(edit: FileEdit) throws {
      var index = 0
      try Self.check("6 each error at each system call", edit) { call in
        // Otherwise one error for each call, rotating through the errors.
        index += 1
        let errors =
          TestScale.isExhaustive ? Self.errors : [Self.errors[index % Self.errors.count]]
        return errors.map { Injection("error=\($0)", in: call) }
      }
    }

    @Test(
      "A call that fails from some time on leaves the old file or the new one",
      .enabled(if: TestScale.isExhaustive, "make faults runs it"),
      arguments: FileEdit.all)
    func failingForGood(edit: FileEdit) throws {
      try Self.check("6 each error from each system call on", edit) { call in
        // Interrupts every other call, so that no call is interrupted forever.
        Self.errors.map {
          Injection("error=\($0)", in: call, suffix: $0 == "EINTR" ? "+2" : "+")
        }
      }
    }
  }
}
