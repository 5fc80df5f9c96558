import Foundation
import TestSupport
import Testing

@testable import FileStorage

extension ProcessTests {
  @Suite("Waiting for the lock of a file") struct LockTests {
    let folder: TemporaryFolder
    /// Byte locks of the lock file, which the processes hold.
    private let locks: ByteLocks

    init() throws {
      folder = try TemporaryFolder()
      try folder.write("", to: ".test.plist.lock")
      locks = ByteLocks(of: try Descriptor.open(folder.path(".test.plist.lock"), flags: O_RDWR))
    }

    /// Starts a process that takes the lock and holds it until its input ends.
    private func start() throws -> TestProcess { try TestProcess(folder.file, "hold-lock") }

    /// Starts a process that must wait, and waits until it has taken a ticket.
    private func start(waitingAt ticket: off_t) throws -> TestProcess {
      let process = try start()
      #expect(try eventually { try locks.foreignLock(in: ticket...ticket) != nil })
      #expect(process.isRunning)
      return process
    }

    @Test(
      "Processes take the lock in order, but stopped ones wait and killed ones leave nothing"
    )
    func queue() throws {
      let holder = try start()
      #expect(holder.readLine() == "held")
      let stopped = try start(waitingAt: 1)
      let killed = try start(waitingAt: 2)
      let last = try start(waitingAt: 3)
      stopped.send(SIGSTOP)
      killed.send(SIGKILL)
      #expect(killed.wait() == 128 + SIGKILL)
      #expect(try locks.foreignLock(in: 2...2) == nil)

      TestProcess.finish([holder])
      #expect(last.readLine() == "held")
      #expect(try locks.foreignLock(in: 1...(.max)) == 1...1)
      TestProcess.finish([last])
      #expect(try locks.foreignLock(in: 0...0) == nil)

      stopped.send(SIGCONT)
      #expect(stopped.readLine() == "held")
      TestProcess.finish([stopped])
      #expect(try locks.foreignLock(in: 0...(.max)) == nil)
      #expect(try folder.names() == [".test.plist.lock", "test.plist"])
      #expect(try folder.data(".test.plist.lock").isEmpty)
    }
  }
}
