package import FoundationEssentials
internal import Glibc

/// A file in the user's temporary folder that only the user can read.
package struct ScratchFile: Sendable {
  package let path: String

  /// Creates a file with an unused name that begins with this one, with underscores for slashes.
  package init(name: String, fileExtension: String) throws(FileSystemError) {
    let folder = Environment.value(of: "TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    let base = String(name.replacing("/", with: "_").prefix(100))
    let ending = ".\(fileExtension)"
    var template = Array(FilePath.joining(folder, "\(base)-XXXXXX\(ending)").utf8CString)
    let number = mkstemps(&template, Int32(ending.utf8.count))
    guard number >= 0 else { throw FileSystemError(.createTemporaryFile) }
    close(number)
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  /// Replaces the contents in place.
  package func write(_ data: Data) throws(FileSystemError) {
    try Descriptor.open(path, flags: O_WRONLY | O_TRUNC | O_NOFOLLOW).writeAll(data)
  }

  /// Reads the contents, which an editor may have replaced with another file.
  package func read(limit: Int) throws(FileSystemError) -> Data {
    try AtomicFile.read(path, limit: limit)
  }

  package func remove() { unlink(path) }
}
