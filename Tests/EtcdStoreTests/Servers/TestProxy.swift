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
      /// The clients' sockets of streams of changes.
      var streams: Set<Int32> = []
      /// The streams whose data is no longer forwarded.
      var stuckStreams: Set<Int32> = []
      var answerLimit = Int.max
      var sockets: Set<Int32> = []
      var byteCount = 0
      var requestCount = 0
      var acceptedCount = 0
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

    /// The number of connections that there have been.
    var acceptedCount: Int { state.withLock { $0.acceptedCount } }

    /// The number of requests that were sent.
    var requestCount: Int { state.withLock { $0.requestCount } }

    func set(_ mode: Mode) {
      state.withLock { state in
        state.mode = mode
        if mode == .closed { for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
      }
    }

    /// Stops forwarding data of the existing streams of changes.
    func holdStreams() {
      state.withLock { $0.stuckStreams = $0.streams }
    }

    /// Sets how many bytes of a server's answers each connection forwards.
    func limitAnswers(to count: Int) {
      state.withLock { $0.answerLimit = count }
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
        state.withLock { state in
          state.sockets.formUnion([client, server])
          state.acceptedCount += 1
        }
      }

      deinit {
        state.withLock { state in
          state.sockets.subtract(pair)
          state.streams.subtract(pair)
          state.stuckStreams.subtract(pair)
        }
        for socket in pair { close(socket) }
      }

      /// Whether the other side still has its connection.
      private static func isOpen(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) != 0
      }

      private var isHeld: Bool {
        state.withLock { state in
          !state.isEnded && (state.mode == .silent || !state.stuckStreams.isDisjoint(with: pair))
        }
      }

      func copy(from source: Int32, to target: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var passed = 0
        while true {
          let limit = source == pair[1] ? state.withLock { $0.answerLimit } : .max
          if passed >= limit, Self.isOpen(source), Self.isOpen(target) {
            usleep(1000)
            continue
          }
          let count = recv(source, &buffer, max(min(buffer.count, limit - passed), 0), 0)
          if count <= 0 { break }
          let text = String(decoding: buffer[..<count], as: UTF8.self)
          state.withLock { state in
            if text.hasPrefix("POST /v3/") { state.requestCount += 1 }
            if text.hasPrefix("POST /v3/watch ") { state.streams.insert(source) }
          }
          while isHeld, Self.isOpen(source), Self.isOpen(target) { usleep(1000) }
          if state.withLock({ $0.mode == .closed }) { break }
          if !TestSocket.write(buffer[..<count], to: target) { break }
          state.withLock { $0.byteCount += count }
          passed += count
        }
        for socket in pair { shutdown(socket, Int32(SHUT_RDWR)) }
      }
    }
  }
#endif
