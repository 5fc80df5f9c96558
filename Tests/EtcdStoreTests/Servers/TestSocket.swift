#if Etcd
  import Foundation

  /// Sockets on loopback.
  enum TestSocket {
    /// Listens at a port; 0 for any.
    static func listening(at port: Int) throws -> Int32 {
      let descriptor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      var one: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
      let result = withAddress(port) { bind(descriptor, $0, $1) }
      guard descriptor >= 0, result == 0, listen(descriptor, 64) == 0 else {
        close(descriptor)
        throw POSIXError(.EADDRINUSE)
      }
      return descriptor
    }

    /// The port of a socket that listens.
    static func port(of descriptor: Int32) -> Int {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = getsockname(descriptor, $0, &size)
        }
      }
      return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Connects to a port; nil without a listener.
    static func connected(to port: Int) -> Int32? {
      let descriptor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard withAddress(port, { connect(descriptor, $0, $1) }) == 0 else {
        close(descriptor)
        return nil
      }
      return descriptor
    }

    /// Writes all bytes; false if the other side has closed the connection.
    static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
      var rest = Array(bytes)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// Reads until the other side closes the connection.
    static func readAll(from descriptor: Int32) -> Data {
      var data = Data()
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count <= 0 { return data }
        data += buffer[..<count]
      }
    }

    private static func withAddress<Result>(
      _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
  }
#endif
