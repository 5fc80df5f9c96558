import Foundation
import TestSupport
import Testing

extension ProcessTests {
  @Suite("A process that uses everything over and over") struct LeakTests {
    @Test("It takes no more memory and no more descriptors from one round to the next")
    func flat() throws {
      // Without a disk, whose flushes would take most of the time.
      let folder = try TemporaryFolder(isInMemory: true)
      let rounds = TestScale.isLong ? 4000 * TestScale.rounds : 400
      let process = try TestProcess(folder.file, "use-everything", "\(rounds)")
      let figures = process.readLines().map { $0.split(separator: " ").compactMap { Int($0) } }
      TestProcess.finish([process])
      try #require(figures.count == 4)
      // The first quarter fills caches. An object that is leaked in each round has at least 32 bytes.
      let growth = figures[3][0] - figures[1][0]
      #expect(growth < rounds / 2 * 32 + (64 << 10), "\(figures)")
      #expect(figures[3][1] <= figures[1][1] + 2, "\(figures)")
    }
  }
}
