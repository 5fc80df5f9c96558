import Foundation
import Testing
import Threading

@Suite("A lock")
struct LockTests {
  private struct Failure: Error {}

  @Test("gives one thread at a time access to its value")
  func exclusion() async {
    let count = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<1000 { count.withLock { $0 += 1 } } }
      }
    }
    #expect(count.withLock { $0 } == 4000)
  }

  @Test("is released when the closure throws")
  func throwing() {
    let lock = Lock(1)
    #expect(throws: Failure.self) { try lock.withLock { _ in throw Failure() } }
    #expect(lock.withLock { $0 } == 1)
  }
}
