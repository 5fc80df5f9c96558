import Foundation
import PropertyList
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A lock file that is removed again and again") struct LockRemovalTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Writers with a lock each lose nothing, and the file is always whole")
    func storm() throws {
      TestProcess.finish([try TestProcess(folder.file, "set", "first", "x")])
      let (writers, count) = (3, 100 * TestScale.rounds)
      let processes = try (0..<writers).map {
        try TestProcess(folder.file, "acknowledge-keys", "writer\($0)-", String(count))
      }
      var removals = 0
      while processes.contains(where: \.isRunning) {
        if unlink(folder.path(".test.plist.lock")) == 0 { removals += 1 }
        let values = try folder.values()
        try #require(values["first"] == "x")
        usleep(2000)
      }
      TestProcess.finish(processes)
      #expect(removals > count / 2)
      let values = try folder.values()
      for writer in 0..<writers {
        for index in 0..<count { #expect(values["writer\(writer)-\(index)"] != nil) }
      }
      #expect(values.count == writers * count + 1)
      #expect(try Set(folder.names()).isSubset(of: [".test.plist.lock", "test.plist"]))
    }
  }
}
