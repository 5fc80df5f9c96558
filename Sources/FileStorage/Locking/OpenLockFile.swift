internal import CLinuxFile
internal import Glibc
internal import Threading

/// A file that this process has open to lock it, until the object is released. Locks of
/// ``ByteLocks`` and flock(2) belong to the open file, which a forked child also has open: they
/// would last as long as the child. So the child closes the file at once.
final class OpenLockFile: Sendable {
  private struct Entry {
    var number: Int32
    var thread: pthread_t
  }

  /// All open lock files of this process.
  private static let entries: Lock<[ObjectIdentifier: Entry]> = {
    Fork.register(.running) { isChild in
      if isChild { closeInherited() }
    }
    return Lock([:])
  }()

  let descriptor: Descriptor
  private let forks = Fork.count

  /// Registers a file that was just opened; nil if the process may have forked since.
  ///
  /// - Parameter forks: `Fork.made` before the file was opened.
  init?(_ descriptor: Descriptor, since forks: UInt32) {
    self.descriptor = descriptor
    let isRegistered = Self.entries.withLock { entries in
      // No fork is made while the lock is held.
      guard Fork.made == forks else { return false }
      entries[ObjectIdentifier(self)] = Entry(number: descriptor.number, thread: pthread_self())
      return true
    }
    if !isRegistered { return nil }
  }

  /// Opens a file to lock it.
  ///
  /// - Parameter open: Opens the file. It is called again, with false, if the process has forked
  ///   since.
  static func open(
    _ open: (_ isFirst: Bool) throws(FileSystemError) -> Descriptor
  ) throws(FileSystemError) -> OpenLockFile {
    var isFirst = true
    while true {
      let forks = Fork.made
      if let file = OpenLockFile(try open(isFirst), since: forks) { return file }
      isFirst = false
    }
  }

  deinit {
    Self.entries.withLock { $0[ObjectIdentifier(self)] = nil }
  }

  /// Whether the process is a forked child of the process that opened the file, and so has lost the
  /// lock.
  var isLost: Bool { forks != Fork.count }

  private static func closeInherited() {
    let inherited = entries.withLock { entries in
      defer { entries = [:] }
      return entries.values
    }
    for entry in inherited {
      close(entry.number)
      guard pthread_equal(entry.thread, pthread_self()) != 0 else { continue }
      // This thread will close the number again.
      let substitute = larder_event_descriptor()
      if substitute >= 0, substitute != entry.number {
        dup3(substitute, entry.number, O_CLOEXEC)
        close(substitute)
      }
    }
  }
}
