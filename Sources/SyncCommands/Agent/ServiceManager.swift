internal import FileStorage
internal import Glibc

/// The service manager that started the program, such as systemd. It receives datagrams as
/// described in sd_notify(3).
struct ServiceManager: Sendable {
  private let address: String?

  /// The manager named in the environment variable `NOTIFY_SOCKET`. Without one, notifications have
  /// no effect.
  init() { self.init(address: Environment.value(of: "NOTIFY_SOCKET")) }

  /// - Parameter address: The path of a socket, or a name after `@`; nil for no manager.
  init(address: String?) { self.address = address }

  /// Sends notifications, such as `READY=1`. Notifications that cannot be sent are lost.
  func notify(_ lines: String...) {
    guard let address, address.hasPrefix("/") || address.hasPrefix("@") else { return }
    let name = Array(address.utf8)
    var socketAddress = sockaddr_un()
    socketAddress.sun_family = sa_family_t(AF_UNIX)
    guard name.count < MemoryLayout.size(ofValue: socketAddress.sun_path) else { return }
    withUnsafeMutableBytes(of: &socketAddress.sun_path) { path in
      path.copyBytes(from: name)
      // A name without a file.
      if address.hasPrefix("@") { path[0] = 0 }
    }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let message = Array(lines.joined(separator: "\n").utf8)
    // A path ends with a zero byte; a name does not.
    let size = MemoryLayout<sa_family_t>.size + name.count + (address.hasPrefix("/") ? 1 : 0)
    withUnsafePointer(to: &socketAddress) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(
          descriptor, message, message.count, Int32(MSG_NOSIGNAL), address,
          socklen_t(size))
      }
    }
  }

  /// The time of the monotonic clock in microseconds, which is sent with `RELOADING=1`.
  static var monotonicTime: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000 + now.tv_nsec / 1000
  }
}
