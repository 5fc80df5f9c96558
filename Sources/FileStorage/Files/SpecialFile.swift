internal import CLinuxFile
package import FoundationEssentials
internal import Glibc

/// A file that is written in place and never replaced: a device, a pipe, a socket, or an open
/// descriptor, such as `/dev/stdout`, `/dev/fd/3` and `/proc/self/fd/3`.
package enum SpecialFile: Sendable {
  /// A descriptor of this process.
  case descriptor(Int32)
  /// A descriptor of another process.
  case foreignDescriptor
  /// A device, pipe or socket.
  case device

  /// The kind of file that the path names; nil for a regular file, a folder, or a path without a
  /// file.
  package init?(_ path: String) {
    if let descriptor = Self.descriptor(at: path) {
      self = descriptor
      return
    }
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    switch information.st_mode & S_IFMT {
    case S_IFREG, S_IFDIR: return nil
    default: self = .device
    }
  }

  /// Whether the path names an open descriptor, of any kind of file.
  static func isDescriptor(_ path: String) -> Bool { descriptor(at: path) != nil }

  /// Follows symbolic links up to a link of the kernel for a descriptor.
  private static func descriptor(at path: String) -> SpecialFile? {
    var resolver = PathResolver(PathBytes(absolute: path))
    while let step = resolver.next() {
      guard step.isLink, step.isLast, let number = Int32(step.name) else { continue }
      let names = step.path.names.dropLast()
      let folder = PathBytes(step.path.dropLast(step.name.count))
      guard names.last == PathBytes("fd".utf8),
        folder.withCString({ larder_file_system($0) }) == processFileSystem
      else { continue }
      let isOwn = folder.starts(with: "/proc/\(getpid())/".utf8)
      return isOwn ? .descriptor(number) : .foreignDescriptor
    }
    return nil
  }

  /// `PROC_SUPER_MAGIC`
  private static let processFileSystem: UInt = 0x9FA0

  /// The error for an attempt to replace the file.
  package var refusal: FileSystemError {
    switch self {
    case .descriptor, .foreignDescriptor: FileSystemError(.replaceDescriptor, code: EINVAL)
    case .device: FileSystemError(.replaceSpecialFile, code: EINVAL)
    }
  }

  /// Writes all bytes: at the current position of this process's descriptor, at the end of a file
  /// that another process has open, or to a device.
  package func write(_ data: Data, to path: String) throws(FileSystemError) {
    let file: Descriptor
    switch self {
    case .descriptor(let number): file = try Descriptor(duplicating: number)
    case .foreignDescriptor: file = try Descriptor.open(path, flags: O_WRONLY | O_APPEND | O_NOCTTY)
    case .device: file = try Descriptor.open(path, flags: O_WRONLY | O_NOCTTY)
    }
    try file.writeAll(data)
  }
}

extension Int32 {
  /// Parses a name of ASCII digits.
  fileprivate init?(_ name: PathBytes) {
    guard !name.isEmpty, name.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    self.init(String(decoding: name, as: UTF8.self))
  }
}
