internal import CLinuxFile
internal import Glibc

/// Locks on the bytes of an open file, which need not be there: it may be empty.
///
/// They belong to the open file and not to the process (fcntl(2), "Open file description locks"). The
/// kernel releases them when the file is closed by all that have it, at the latest when these end.
struct ByteLocks {
  private let descriptor: Descriptor

  init(of descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  /// Locks a byte, without waiting.
  ///
  /// - Returns: False where another open file has it locked.
  func lock(_ byte: off_t) throws(FileSystemError) -> Bool {
    var lock = Self.request(byte...byte, F_WRLCK)
    while fcntl(descriptor.number, LARDER_F_OFD_SETLK, &lock) != 0 {
      if errno == EAGAIN || errno == EACCES { return false }
      guard errno == EINTR else { throw FileSystemError(.lock) }
    }
    return true
  }

  /// Releases what is locked of some bytes.
  func unlock(_ bytes: ClosedRange<off_t>) {
    var lock = Self.request(bytes, F_UNLCK)
    while fcntl(descriptor.number, LARDER_F_OFD_SETLK, &lock) != 0, errno == EINTR {}
  }

  /// The bytes of one of the locks, whichever, that other open files have on some of these bytes; nil
  /// where there is none.
  func others(in bytes: ClosedRange<off_t>) throws(FileSystemError) -> ClosedRange<off_t>? {
    var lock = Self.request(bytes, F_WRLCK)
    while fcntl(descriptor.number, LARDER_F_OFD_GETLK, &lock) != 0 {
      guard errno == EINTR else { throw FileSystemError(.lock) }
      lock = Self.request(bytes, F_WRLCK)
    }
    if lock.l_type == Int16(F_UNLCK) { return nil }
    return lock.l_start...(lock.l_len == 0 ? .max : lock.l_start + lock.l_len - 1)
  }

  private static func request(_ bytes: ClosedRange<off_t>, _ type: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = bytes.lowerBound
    // Without a length it goes as far as files can.
    lock.l_len = bytes.upperBound == .max ? 0 : bytes.upperBound - bytes.lowerBound + 1
    return lock
  }
}
