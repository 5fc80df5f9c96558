internal import CLinuxFile
internal import Glibc
internal import Threading

/// Exclusive advisory locks on byte ranges of an open file, also beyond its end.
///
/// They belong to the open file, not to the process (fcntl(2), "Open file description locks"). The
/// kernel releases them when the last descriptor of the open file is closed, at the latest when the
/// processes that have one exit.
struct ByteLocks {
  private let descriptor: Descriptor

  init(of descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  /// Tries to lock a byte, without waiting.
  ///
  /// - Returns: False if another open file holds a lock on it.
  func tryLock(_ byte: off_t) throws(FileSystemError) -> Bool {
    var lock = Self.request(byte...byte, F_WRLCK)
    while control(LARDER_F_OFD_SETLK, &lock) != 0 {
      if errno == EAGAIN || errno == EACCES { return false }
      guard errno == EINTR else { throw FileSystemError(.lock) }
    }
    return true
  }

  /// Releases all locks within a range.
  func unlock(_ bytes: ClosedRange<off_t>) {
    var lock = Self.request(bytes, F_UNLCK)
    while control(LARDER_F_OFD_SETLK, &lock) != 0, errno == EINTR {}
  }

  /// Returns the range of any one lock that another open file holds within a range; nil if there is
  /// none.
  func foreignLock(in bytes: ClosedRange<off_t>) throws(FileSystemError) -> ClosedRange<off_t>? {
    var lock = Self.request(bytes, F_WRLCK)
    while control(LARDER_F_OFD_GETLK, &lock) != 0 {
      guard errno == EINTR else { throw FileSystemError(.lock) }
      lock = Self.request(bytes, F_WRLCK)
    }
    if lock.l_type == Int16(F_UNLCK) { return nil }
    return lock.l_start...(lock.l_len == 0 ? .max : lock.l_start + lock.l_len - 1)
  }

  private func control(_ command: Int32, _ lock: inout flock) -> Int32 {
    ForkGate.shared.allowingForks { fcntl(descriptor.number, command, &lock) }
  }

  private static func request(_ bytes: ClosedRange<off_t>, _ type: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = bytes.lowerBound
    // A length of 0 means to the end of the largest possible file.
    lock.l_len = bytes.upperBound == .max ? 0 : bytes.upperBound - bytes.lowerBound + 1
    return lock
  }
}
