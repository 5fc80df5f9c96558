internal import CLinuxFile
package import FoundationEssentials
internal import Glibc
internal import Threading

/// A file descriptor, closed with the last reference unless it is a standard stream.
package final class Descriptor: Sendable {
  package static let standardInput = Descriptor(STDIN_FILENO, isOwned: false)
  package static let standardOutput = Descriptor(STDOUT_FILENO, isOwned: false)
  package static let standardError = Descriptor(STDERR_FILENO, isOwned: false)

  let number: Int32
  private let isOwned: Bool

  private init(_ number: Int32, isOwned: Bool) { (self.number, self.isOwned) = (number, isOwned) }

  /// Takes ownership of a descriptor that a system call has returned, moving it away from the
  /// numbers of standard streams; nil for -1.
  convenience init?(taking number: Int32) {
    guard number >= 0, let number = try? Self.awayFromStandardStreams(number) else { return nil }
    self.init(number, isOwned: true)
  }

  /// Duplicates a descriptor of this process, which shares its offset and flags.
  convenience init(duplicating number: Int32) throws(FileSystemError) {
    self.init(try Self.duplicate(number), isOwned: true)
  }

  deinit {
    if isOwned { _ = ForkGate.shared.allowingForks { close(number) } }
  }

  /// Opens a file with flags of open(2) and `O_CLOEXEC`, by a path relative to a directory or, for
  /// nil, to the working directory. The umask of the process reduces the mode.
  static func open(
    _ path: String, in directory: Descriptor? = nil, flags: Int32, mode: mode_t = 0
  ) throws(FileSystemError) -> Descriptor {
    while true {
      let number = ForkGate.shared.allowingForks {
        openat(directory?.number ?? AT_FDCWD, path, flags | O_CLOEXEC, mode)
      }
      if number >= 0 { return Descriptor(try awayFromStandardStreams(number), isOwned: true) }
      guard errno == EINTR else { throw FileSystemError(.open) }
    }
  }

  /// Duplicates a descriptor that has the number of a closed standard stream: output to the stream
  /// would end up in the file.
  private static func awayFromStandardStreams(_ number: Int32) throws(FileSystemError) -> Int32 {
    guard number <= STDERR_FILENO else { return number }
    defer { close(number) }
    return try duplicate(number)
  }

  private static func duplicate(_ number: Int32) throws(FileSystemError) -> Int32 {
    let duplicate = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard duplicate >= 0 else { throw FileSystemError(.open) }
    return duplicate
  }

  func information() throws(FileSystemError) -> stat {
    var information = stat()
    guard ForkGate.shared.allowingForks({ fstat(number, &information) }) == 0 else {
      throw FileSystemError(.inspect)
    }
    return information
  }

  /// Reads to the end. Throws an error of code `EFBIG` for more bytes than the limit, or of code
  /// `ENOMEM`.
  package func readAll(limit: Int) throws(FileSystemError) -> Data {
    let information = try? information()
    let isRegular = information.map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    return try readAll(limit: limit, size: isRegular ? information.map { Int($0.st_size) } : nil)
  }

  /// Reads as ``readAll(limit:)`` does. The size is known for a regular file, and nil for others.
  /// If it is exact, reading ends there, and the caller checks the file again.
  func readAll(limit: Int, size: Int?, isExact: Bool = false) throws(FileSystemError) -> Data {
    guard size ?? 0 <= limit else {
      throw FileSystemError(.readLargeFile(limit: limit), code: EFBIG)
    }
    // One more byte than the file has, so that reading up to its end needs no second allocation.
    var capacity = size.map { $0 + 1 } ?? 64 << 10
    var base = Self.allocate(capacity)
    var count = 0
    while true {
      guard let start = base else { throw FileSystemError(.read, code: ENOMEM) }
      let received = ForkGate.shared.allowingForks { read(number, start + count, capacity - count) }
      if received < 0 && errno == EINTR { continue }
      let failure: FileSystemError? =
        received < 0
        ? FileSystemError(.read)
        : received > limit - count
          ? FileSystemError(.readLargeFile(limit: limit), code: EFBIG) : nil
      if let failure {
        free(start)
        throw failure
      }
      count += received
      if received == 0 || isExact && count == size {
        return Data(bytesNoCopy: start, count: count, deallocator: .free)
      }
      if count == capacity {
        capacity *= 2
        base = realloc(start, capacity)
        if base == nil { free(start) }
      }
    }
  }

  /// Reads the first bytes, up to and with a line feed, to the end, or to a limit.
  func readLine(limit: Int) throws(FileSystemError) -> Data {
    let line = try readBeginning(limit: limit) { $0.contains(UInt8(ascii: "\n")) }
    let end = line.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    return line[..<(end ?? line.count)]
  }

  /// Reads the first bytes, to the end, to a limit, or until they are enough.
  func readBeginning(
    limit: Int, until areEnough: (Data) -> Bool = { _ in false }
  ) throws(FileSystemError) -> Data {
    var beginning = Data(count: limit)
    var count = 0
    while count < limit, !areEnough(beginning[..<count]) {
      let received = beginning.withUnsafeMutableBytes { bytes in
        ForkGate.shared.allowingForks { read(number, bytes.baseAddress! + count, limit - count) }
      }
      if received < 0 && errno == EINTR { continue }
      guard received >= 0 else { throw FileSystemError(.read) }
      if received == 0 { break }
      count += received
    }
    return beginning[..<count]
  }

  /// Allocates memory for the contents of a file; nil if there is not enough.
  private static func allocate(_ capacity: Int) -> UnsafeMutableRawPointer? {
    guard capacity >= 2 * hugePage else { return malloc(capacity) }
    // Page faults on pages of 4 KiB would take longer than reading the file.
    var base: UnsafeMutableRawPointer?
    guard posix_memalign(&base, hugePage, capacity) == 0 else { return nil }
    // Only whole huge pages are advised: the rest then takes no more memory than needed.
    madvise(base, capacity / hugePage * hugePage, MADV_HUGEPAGE)
    return base
  }

  private static let hugePage = 2 << 20

  package func writeAll(_ data: Data) throws(FileSystemError) {
    let failure = data.withUnsafeBytes { bytes -> FileSystemError? in
      var written = 0
      while written < bytes.count {
        let count = ForkGate.shared.allowingForks {
          write(number, bytes.baseAddress! + written, bytes.count - written)
        }
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

  /// Flushes the file to the disk.
  func synchronize() throws(FileSystemError) {
    while ForkGate.shared.allowingForks({ fsync(number) }) != 0 {
      guard errno == EINTR else { throw FileSystemError(.synchronize) }
    }
  }

  /// Does the work of closing the file, and reports its error: file systems without fsync, such as
  /// some over a network, store the contents only then.
  func flushAsOnClose() throws(FileSystemError) {
    repeat {
      let duplicate = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      if duplicate >= 0, close(duplicate) == 0 { return }
    } while errno == EINTR
    throw FileSystemError(.close)
  }

  /// Flushes everything on the file system of the file to the disk.
  func synchronizeFileSystem() throws(FileSystemError) {
    while larder_sync_file_system(number) != 0 {
      guard errno == EINTR else { throw FileSystemError(.synchronize) }
    }
  }
}
