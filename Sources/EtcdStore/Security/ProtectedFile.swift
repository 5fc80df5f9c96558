package import FoundationEssentials
internal import Glibc

/// A small file with certificates or a secret, whose permissions are checked before it is read.
package enum ProtectedFile {
  /// Which users may have access to a file.
  package enum Protection {
    /// All users may read it; only its owner may write it.
    case published
    /// Only its owner may read it, and its group if the owner is root.
    case secret
  }

  private static let largest = 1 << 20

  /// Reads a file that belongs to the user of the process or to root.
  package static func read(_ path: String, _ protection: Protection) throws(EtcdError) -> Data {
    // O_NONBLOCK: opening a pipe must not wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw EtcdError(
        .file(path: path, reason: "cannot be opened: \(String(cString: strerror(errno)))"))
    }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else {
      throw EtcdError(.file(path: path, reason: String(cString: strerror(errno))))
    }
    if let problem = problem(information, protection) {
      throw EtcdError(.file(path: path, reason: problem))
    }
    var data = Data(count: Int(information.st_size))
    var count = 0
    while count < data.count {
      let received = data.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count)
      }
      if received < 0 && errno == EINTR { continue }
      guard received > 0 else {
        throw EtcdError(.file(path: path, reason: "cannot be read"))
      }
      count += received
    }
    return data
  }

  private static func problem(_ information: stat, _ protection: Protection) -> String? {
    guard information.st_mode & S_IFMT == S_IFREG else { return "is not a regular file" }
    guard information.st_uid == 0 || information.st_uid == geteuid() else {
      return "belongs to another user; expected root or the user of the process"
    }
    guard information.st_size <= largest else { return "is larger than 1 MiB" }
    guard information.st_size > 0 else { return "is empty" }
    let mode = information.st_mode & 0o777
    let forbidden: mode_t =
      switch protection {
      case .published: 0o022
      case .secret: information.st_uid == 0 ? 0o037 : 0o077
      }
    guard mode & forbidden == 0 else {
      let expected = protection == .secret ? "chmod 600" : "chmod 644"
      let text = "0" + String(mode, radix: 8)
      return "is open to other users, with permissions \(text); expected those of \(expected)"
    }
    return nil
  }
}
