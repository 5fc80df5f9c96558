import Foundation

/// The raw limit of durable replacement: only the necessary system calls.
final class RawFile {
  private let folder: Int32
  private let name: String
  private let temporaryName: String

  /// Creates a file in an existing folder.
  init(_ name: String, in folder: String) throws {
    self.name = name
    temporaryName = ".\(name).new"
    self.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard self.folder >= 0 else { throw Self.failure("open") }
  }

  deinit {
    close(folder)
  }

  /// Writes a temporary file, syncs it, renames it over the old one and syncs the folder.
  func replace(with bytes: Data) throws {
    let file = openat(folder, temporaryName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure("create") }
    defer { close(file) }
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count > 0 else { throw Self.failure("write") }
        rest = rest.dropFirst(count)
      }
    }
    guard fsync(file) == 0 else { throw Self.failure("fsync") }
    guard renameat(folder, temporaryName, folder, name) == 0 else { throw Self.failure("rename") }
    guard fsync(folder) == 0 else { throw Self.failure("fsync") }
  }

  /// Waits until the file at a path is on the disk.
  static func sync(_ path: String) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("open") }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure("fsync") }
  }

  /// Appends bytes under the lock of all writers, by replacing the file.
  func append(_ bytes: Data) throws {
    let lock = openat(folder, ".\(name).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw Self.failure("open") }
    // Closing the descriptor releases the lock.
    defer { close(lock) }
    guard flock(lock, LOCK_EX) == 0 else { throw Self.failure("lock") }
    try replace(with: contents() + bytes)
  }

  /// Reads the file; it is empty if it does not exist.
  func contents() throws -> Data {
    let file = openat(folder, name, O_RDONLY | O_CLOEXEC)
    guard file >= 0 || errno == ENOENT else { throw Self.failure("open") }
    guard file >= 0 else { return Data() }
    defer { close(file) }
    var information = stat()
    guard fstat(file, &information) == 0 else { throw Self.failure("stat") }
    var bytes = Data(count: Int(information.st_size))
    let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
    guard count == bytes.count else { throw Self.failure("read") }
    return bytes
  }

  private static func failure(_ call: String) -> BenchmarkError {
    BenchmarkError("\(call): error \(errno)")
  }
}
