#if Etcd
  import Foundation
  import Threading

  /// A connection to a server that can be cut or become silent.
  final class TestProxy: Sendable {
    enum Mode: Sendable {
      /// Passes everything on.
      case open
      /// Ends all connections at once.
      case closed
      /// Accepts connections, and passes nothing on.
      case silent
    }

    private struct State {
      var mode = Mode.open
      var sockets: Set<Int32> = []
      var byteCount = 0
      var isEnded = false
    }

    let port: Int
    private let target: Int
    private let listener: Int32
    private let state = Lock(State())

    init(to target: Int) throws {
      self.target = target
      listener = try TestSocket.listening(at: 0)
      port = TestSocket.port(of: listener)
      let (listener, state) = (listener, state)
      Thread.detachNewThread { Self.accept(listener, state, target) }
    }

    deinit {
      state.withLock { $0.isEnded = true }
      set(.closed)
      shutdown(listener, Int32(SHUT_RDWR))
    }

    var endpoint: String { "http://127.0.0.1:\(port)" }

    /// The number of connections.
    var connectionCount: Int { state.withLock { $0.sockets.count / 2 } }

    /// The number of bytes that were passed on in both directions.
    var byteCount: Int { state.withLock { $0.byteCount } }

    func set(_ mode: Mode) {
      state.withLock { state in
        state.mode = mode
        if mode == .closed { for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
      }
    }

    private static func accept(_ listener: Int32, _ state: Lock<State>, _ target: Int) {
      while true {
        let client = Glibc.accept(listener, nil, nil)
        if client < 0 { break }
        guard state.withLock({ $0.mode != .closed }), let server = TestSocket.connected(to: target)
        else {
          close(client)
          continue
        }
        let sockets = Sockets(client, server, state)
        Thread.detachNewThread { sockets.copy(from: client, to: server) }
        Thread.detachNewThread { sockets.copy(from: server, to: client) }
      }
      close(listener)
    }

    /// Both sides of a connection, closed when both threads have ended.
    private final class Sockets: Sendable {
      private let pair: [Int32]
      private let state: Lock<State>

      init(_ client: Int32, _ server: Int32, _ state: Lock<State>) {
        pair = [client, server]
        self.state = state
        state.withLock { $0.sockets.formUnion([client, server]) }
      }

      deinit {
        state.withLock { $0.sockets.subtract(pair) }
        for socket in pair { close(socket) }
      }

      /// Whether the other side has not ended its connection.
      private static func isOpen(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) != 0
      }

      func copy(from source: Int32, to target: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
          let count = recv(source, &buffer, buffer.count, 0)
          if count <= 0 { break }
          while state.withLock({ $0.mode == .silent && !$0.isEnded }), Self.isOpen(source) {
            usleep(1000)
          }
          if state.withLock({ $0.mode == .closed }) { break }
          if !TestSocket.write(buffer[..<count], to: target) { break }
          state.withLock { $0.byteCount += count }
        }
        for socket in pair { shutdown(socket, Int32(SHUT_RDWR)) }
      }
    }
  }
#endif
