public import FoundationEssentials
internal import Glibc

/// An open file descriptor, closed with its last reference unless it is one of the standard streams.
public final class Descriptor: Sendable {
  /// Standard input.
  public static let standardInput = Descriptor(STDIN_FILENO)
  /// Standard output.
  public static let standardOutput = Descriptor(STDOUT_FILENO)
  /// Standard error.
  public static let standardError = Descriptor(STDERR_FILENO)

  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    if number > STDERR_FILENO { close(number) }
  }

  /// Opens a file, never to be inherited by another program.
  ///
  /// - Parameters:
  ///   - directory: Where a relative path begins; nil for the working directory.
  ///   - flags: `O_RDONLY` and the like.
  ///   - mode: The permissions of a file that is created, less the process's mask.
  static func open(
    _ path: String, in directory: Descriptor? = nil, flags: Int32, mode: mode_t = 0
  ) throws(SystemError) -> Descriptor {
    while true {
      let number = openat(directory?.number ?? AT_FDCWD, path, flags | O_CLOEXEC, mode)
      if number >= 0 { return Descriptor(number) }
      guard errno == EINTR else { throw SystemError("open") }
    }
  }

  /// Reads to the end.
  ///
  /// - Parameter limit: After how many bytes to stop, with what has been read by then.
  public func readAll(limit: Int) throws(SystemError) -> Data {
    var information = stat()
    let known = fstat(number, &information) == 0 && information.st_size > 0
    // One byte more than the file, so that its end is seen without another allocation.
    var capacity = min(known ? Int(information.st_size) + 1 : 64 << 10, max(limit, 1))
    var base = malloc(capacity)
    var count = 0
    while count < limit {
      if count == capacity {
        capacity = min(capacity * 2, limit)
        base = realloc(base, capacity)
      }
      guard let start = base else { fatalError("out of memory") }
      let received = read(number, start + count, capacity - count)
      if received < 0 {
        if errno == EINTR { continue }
        let error = SystemError("read")
        free(base)
        throw error
      }
      if received == 0 { break }
      count += received
    }
    guard let start = base else { fatalError("out of memory") }
    return Data(bytesNoCopy: start, count: count, deallocator: .free)
  }

  /// Writes all of the bytes.
  public func writeAll(_ data: Data) throws(SystemError) {
    let failure = data.withUnsafeBytes { bytes -> SystemError? in
      var written = 0
      while written < bytes.count {
        let count = write(number, bytes.baseAddress! + written, bytes.count - written)
        if count >= 0 {
          written += count
        } else if errno != EINTR {
          return SystemError("write")
        }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Waits until what was written is on the disk.
  func synchronise() throws(SystemError) {
    while fsync(number) != 0 {
      guard errno == EINTR else { throw SystemError("write to the disk") }
    }
  }
}
