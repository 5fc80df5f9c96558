package import FoundationEssentials
internal import Glibc

/// An open file descriptor. One that was opened here is closed with its last reference.
package final class Descriptor: Sendable {
  /// Standard input.
  package static let standardInput = Descriptor(STDIN_FILENO, isOwned: false)
  /// Standard output.
  package static let standardOutput = Descriptor(STDOUT_FILENO, isOwned: false)
  /// Standard error.
  package static let standardError = Descriptor(STDERR_FILENO, isOwned: false)

  let number: Int32
  private let isOwned: Bool

  private init(_ number: Int32, isOwned: Bool) {
    self.number = number
    self.isOwned = isOwned
  }

  /// A descriptor that a call has just given, which gets another number if it is that of a standard
  /// stream; nil for -1.
  convenience init?(taking number: Int32) {
    guard number >= 0, let number = try? Self.awayFromStandardStreams(number) else { return nil }
    self.init(number, isOwned: true)
  }

  deinit {
    if isOwned { close(number) }
  }

  /// Opens a file, never to be inherited by another program.
  ///
  /// - Parameters:
  ///   - directory: Where a relative path begins; nil for the working directory.
  ///   - flags: `O_RDONLY` and the like.
  ///   - mode: The permissions of a file that is created, less the process's mask.
  static func open(
    _ path: String, in directory: Descriptor? = nil, flags: Int32, mode: mode_t = 0
  ) throws(FileSystemError) -> Descriptor {
    while true {
      let number = openat(directory?.number ?? AT_FDCWD, path, flags | O_CLOEXEC, mode)
      if number >= 0 { return Descriptor(try awayFromStandardStreams(number), isOwned: true) }
      guard errno == EINTR else { throw FileSystemError(.open) }
    }
  }

  /// Where a standard stream is closed, the next file would get its number, and what is meant for the
  /// stream would end up in the file.
  private static func awayFromStandardStreams(_ number: Int32) throws(FileSystemError) -> Int32 {
    guard number <= STDERR_FILENO else { return number }
    let duplicate = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let error = FileSystemError(.open)
    close(number)
    guard duplicate >= 0 else { throw error }
    return duplicate
  }

  /// What the system knows of the file.
  func information() throws(FileSystemError) -> stat {
    var information = stat()
    guard fstat(number, &information) == 0 else { throw FileSystemError(.inspect) }
    return information
  }

  /// Reads to the end.
  ///
  /// - Parameter limit: How many bytes there may be.
  /// - Throws: An error of `EFBIG` when there are more, of `ENOMEM` when memory does not hold them.
  package func readAll(limit: Int) throws(FileSystemError) -> Data {
    var information = stat()
    var capacity = 64 << 10
    if fstat(number, &information) == 0, information.st_mode & S_IFMT == S_IFREG {
      guard information.st_size <= limit else { throw FileSystemError(.read, code: EFBIG) }
      // One byte more than the file, so that its end is seen without another allocation.
      capacity = Int(information.st_size) + 1
    }
    var base = Self.allocate(capacity)
    var count = 0
    while true {
      guard let start = base else { throw FileSystemError(.read, code: ENOMEM) }
      let received = read(number, start + count, capacity - count)
      if received < 0 && errno == EINTR { continue }
      let failure: FileSystemError? =
        received < 0
        ? FileSystemError(.read)
        : received > limit - count ? FileSystemError(.read, code: EFBIG) : nil
      if let failure {
        free(start)
        throw failure
      }
      if received == 0 { return Data(bytesNoCopy: start, count: count, deallocator: .free) }
      count += received
      if count == capacity {
        capacity *= 2
        base = realloc(start, capacity)
        if base == nil { free(start) }
      }
    }
  }

  /// Memory for the contents of a file; nil where there is none.
  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer? {
    guard capacity >= 2 * hugePage else { return malloc(capacity) }
    // To get pages of 4 KiB one by one takes longer than to read what they are to hold.
    var base: UnsafeMutableRawPointer?
    guard posix_memalign(&base, hugePage, capacity) == 0 else { return nil }
    madvise(base, capacity, MADV_HUGEPAGE)
    return base
  }

  private static let hugePage = 2 << 20

  /// Writes all of the bytes.
  package func writeAll(_ data: Data) throws(FileSystemError) {
    let failure = data.withUnsafeBytes { bytes -> FileSystemError? in
      var written = 0
      while written < bytes.count {
        let count = write(number, bytes.baseAddress! + written, bytes.count - written)
        if count >= 0 {
          written += count
        } else if errno != EINTR {
          return FileSystemError(.write)
        }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Waits until what was written is on the disk.
  func synchronize() throws(FileSystemError) {
    while fsync(number) != 0 {
      guard errno == EINTR else { throw FileSystemError(.synchronize) }
    }
  }
}
