import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A process that is told to end by a signal") struct TerminationSignalTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    /// Expects that a process saves when it gets a signal.
    private func expectSaving(by signal: Int32, _ start: () throws -> TestProcess) throws {
      for _ in 0..<5 {
        try? FileManager.default.removeItem(atPath: folder.file)
        let process = try start()
        #expect(process.readLine() == "ready")
        process.send(signal)
        TestProcess.finish([process])
        #expect(try folder.values() == ["k": "saved"])
      }
    }

    @Test(
      "It saves first, whatever threads it has", arguments: ["thread", "task"], [SIGTERM, SIGINT])
    func synchronousMain(kind: String, signal: Int32) throws {
      try expectSaving(by: signal) {
        try TestProcess(folder.file, "end-by-signal", kind, "unblocked")
      }
    }

    @Test(
      "It saves first if its main function is asynchronous",
      arguments: ["signal", "early-signal", "signal-after-cancellation", "service"],
      [SIGTERM, SIGINT])
    func asynchronousMain(kind: String, signal: Int32) throws {
      let program = BuiltProgram("AsyncTestProgram").path
      try expectSaving(by: signal) { try TestProcess(command: [program, folder.file, kind]) }
    }

    @Test("It gets a signal that was blocked where it was started", arguments: ["thread", "task"])
    func blocked(kind: String) throws {
      try expectSaving(by: SIGTERM) {
        try TestProcess(folder.file, "end-by-signal", kind, "blocked")
      }
    }

    @Test("Its children end by the signal, unless they take it themselves")
    func children() throws {
      let process = try TestProcess(folder.file, "end-children-by-signal")
      #expect(
        process.readLines() == [
          "child: signal 15", "child that takes it: exit 15", "program: signal 15", "itself: 2",
        ])
      TestProcess.finish([process])
    }
  }
}
