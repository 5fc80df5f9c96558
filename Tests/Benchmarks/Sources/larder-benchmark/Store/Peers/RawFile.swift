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

  private static func failure(_ call: String) -> BenchmarkError {
    BenchmarkError("\(call): error \(errno)")
  }
}
