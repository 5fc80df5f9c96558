import Glibc

/// The socket that clients connect to. Threads and processes share it; each accepts the next client
/// when it is free.
struct Listener: Sendable {
  let descriptor: Int32
  /// The path of the socket; nil in a worker, which does not own it.
  private let path: String?

  /// Creates the socket. One that a server has left behind is replaced.
  init(path: String) throws {
    self.path = path
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw Failure(system: "socket") }
    if let client = try? Connection(to: path) {
      client.close()
      throw Failure("\(path): another server is running")
    }
    unlink(path)
    let address = try SocketAddress(path)
    guard address.call({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 1024) == 0 else {
      throw Failure(system: path)
    }
  }

  /// Takes the socket of a supervisor.
  init(inherited descriptor: Int32) {
    self.descriptor = descriptor
    path = nil
  }

  /// Removes the socket, so that clients see that there is no server.
  func remove() { path.map { _ = unlink($0) } }

  /// Waits for the next client; nil if the threads must stop.
  func accept(_ stop: StopSign) -> Connection? {
    while stop.allowsReading(descriptor) {
      let client = Glibc.accept(descriptor, nil, nil)
      if client >= 0 { return Connection(client) }
      switch errno {
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        // No descriptors are available until some are closed.
        guard stop.allowsPause(milliseconds: 100) else { return nil }
      default:
        // Another thread or process has taken the client, or it has gone.
        continue
      }
    }
    return nil
  }
}
