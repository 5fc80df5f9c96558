internal import Glibc
internal import Synchronization

/// The number of a domain's last successful commit, in memory shared with forked children, which
/// shows them what their parent has saved. Only the process that created it changes it.
struct CommitMark: Sendable {
  private let memory: SharedMemory
  private let index: Int

  var number: UInt32 {
    get { memory.start[index].load(ordering: .acquiring) }
    nonmutating set { memory.start[index].store(newValue, ordering: .releasing) }
  }

  /// Memory for a process's marks. It is never released, because children may need it.
  final class SharedMemory: @unchecked Sendable {
    // Sendable because the count changes only under the state lock.

    fileprivate let start: UnsafeMutablePointer<Atomic<UInt32>>
    private var count = 0
    private static let capacity = 1 << 18

    /// Reserves memory, which is allocated as it is used; nil if the system has none.
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
