import Glibc

/// A connection that sends lines in both directions. One thread uses it.
final class Connection {
  private static let newline = UInt8(ascii: "\n")

  private let descriptor: Int32
  /// The bytes that have been received but not read yet.
  private var buffer: [UInt8] = []

  /// Takes over a client's connection.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // A client that does not read must not block the thread.
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Connects to a server.
  init(to path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(system: "socket") }
    let address = try SocketAddress(path)
    guard address.call({ connect(descriptor, $0, $1) }) == 0 else {
      let failure = Failure(system: path)
      close()
      throw failure
    }
  }

  func close() { Glibc.close(descriptor) }

  /// Waits for the next line.
  ///
  /// - Parameters:
  ///   - limit: The number of bytes that it may have.
  ///   - stop: Ends the wait. Lines that have arrived before are still returned. Nil for none.
  /// - Returns: Nil at the end.
  func readLine(limit: Int = .max, _ stop: StopSign? = nil) throws -> String? {
    var searched = 0
    while true {
      let end = buffer[searched...].firstIndex(of: Self.newline)
      guard end ?? buffer.count <= limit else {
        throw Failure("a request has at most \(limit) bytes")
      }
      if let end {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line
      }
      searched = buffer.count
      let mayWait = stop?.allowsReading(descriptor) ?? true
      guard receive(mayWait ? 0 : Int32(MSG_DONTWAIT)) else { return nil }
    }
  }

  /// Receives the bytes that have arrived.
  ///
  /// - Returns: False at the end, or if nothing has arrived and the flags say not to wait.
  private func receive(_ flags: Int32) -> Bool {
    let count = 4096
    let old = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: count))
    let received = buffer.withUnsafeMutableBytes {
      recv(descriptor, $0.baseAddress! + old, count, flags)
    }
    buffer.removeLast(count - max(0, received))
    return received > 0 || received < 0 && errno == EINTR
  }

  /// Sends a text.
  ///
  /// - Returns: False if the other side has gone or takes too long.
  func send(_ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      bytes.removeFirst(count)
    }
    return true
  }
}

/// The address of a Unix socket.
struct SocketAddress {
  private var address = sockaddr_un()

  init(_ path: String) throws {
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard bytes.count < place.count else { throw Failure("\(path): the path is too long") }
      place.copyBytes(from: bytes)
    }
  }

  /// Makes a system call with the address.
  func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
