/// The owner of a file by its ``OwnershipLock``.
package enum LockOwner: Sendable, Equatable {
  /// A process that this one can signal.
  case process(Int32)
  /// A process on another machine or in another container, which has no number here.
  case elsewhere

  /// The owner with a process number as the kernel tells it: 0 for a process of another container, and
  /// often negative for one of another machine.
  init(_ process: Int32) {
    self = process > 0 ? .process(process) : .elsewhere
  }
}
