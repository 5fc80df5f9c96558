import Foundation
import Glibc
import TestSupport

/// A client of the example's server, with one connection.
final class TenantClient: @unchecked Sendable {
  private let descriptor: Int32
  private var buffer = Data()

  /// Connects to a socket; nil without a listener.
  init?(_ path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if status != 0 { return nil }
    // The test fails if the server does not answer.
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends a line and returns the first line of the answer; nil if the server has ended.
  func ask(_ request: String) -> String? {
    send(request + "\n")
    return readLine()
  }

  /// Sends a line and returns the lines of the answer before the one with a dot.
  func askForLines(_ request: String) -> [String] {
    send(request + "\n")
    return Array(sequence(state: ()) { _ in self.readLine() }.prefix { $0 != "." })
  }

  func send(_ text: String) {
    let data = Data(text.utf8)
    _ = data.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  func readLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer = Data(buffer[buffer.index(after: end)...])
        return line
      }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count <= 0 { return nil }
      buffer += bytes[..<count]
    }
  }

  /// The process that answers.
  var server: pid_t? {
    let line = askForLines("metrics").first { $0.hasPrefix("# process ") }
    return line.flatMap { pid_t($0.dropFirst(10)) }
  }
}
