import Glibc

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
