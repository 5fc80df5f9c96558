internal import FileStorage
internal import Glibc

extension SystemError {
  /// Whether a folder on the way to a file does not exist.
  var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// The codes that come from a file and not from the process or the whole system.
  static let ofTheFile = [EACCES, EIO, EISDIR, EINVAL, ELOOP, EFBIG, EOVERFLOW]
}
