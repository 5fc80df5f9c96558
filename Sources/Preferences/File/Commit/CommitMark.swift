internal import Glibc
internal import Synchronization

/// Shows forked children which changes of a domain their parent has saved: the number of the
/// last commit that succeeded.
///
/// Only the process that has created it sets it. It lies in memory that children share.
struct CommitMark: Sendable {
  private let memory: SharedMemory
  private let index: Int

  /// The number of the last commit that succeeded.
  var number: UInt32 {
    get { memory.start[index].load(ordering: .acquiring) }
    nonmutating set { memory.start[index].store(newValue, ordering: .releasing) }
  }

  /// Memory for the marks of a process. It is never released, since children may need it.
  final class SharedMemory: @unchecked Sendable {
    // Sendable because the count changes only while the state lock is held.

    fileprivate let start: UnsafeMutablePointer<Atomic<UInt32>>
    private var count = 0
    private static let capacity = 1 << 18

    /// Reserves memory, of which only the part that is used is allocated; nil if there is none.
    init?() {
      let size = Self.capacity * MemoryLayout<UInt32>.stride
      let memory = mmap(
        nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
      guard let memory, memory != MAP_FAILED else { return nil }
      start = memory.bindMemory(to: Atomic<UInt32>.self, capacity: Self.capacity)
    }

    /// A mark that no other domain has; nil if all are used.
    func next(in change: borrowing StateChange) -> CommitMark? {
      if count == Self.capacity { return nil }
      count += 1
      return CommitMark(memory: self, index: count - 1)
    }
  }
}
