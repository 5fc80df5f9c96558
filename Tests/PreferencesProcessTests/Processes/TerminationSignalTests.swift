import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A process that is told to end by a signal") struct TerminationSignalTests {
    @Test(
      "It saves first, whatever threads it has",
      arguments: ["thread", "task", "canceled"], [SIGTERM, SIGINT])
    func saving(kind: String, signal: Int32) throws {
      let folder = try TemporaryFolder()
      for _ in 0..<5 {
        try? FileManager.default.removeItem(atPath: folder.file)
        let process = try TestProcess(folder.file, "end-by-signal", kind)
        #expect(process.readLine() == "ready")
        process.send(signal)
        TestProcess.finish([process])
        #expect(try folder.values() == ["k": "saved"])
      }
    }
  }
}
