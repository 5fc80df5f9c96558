#if Etcd
  import Foundation
  import Threading

  /// A server that gives every request the same answer, byte for byte, and ends the connection.
  final class ScriptedServer: Sendable {
    let port: Int
    private let listener: Int32
    private let count = Lock(0)

    /// - Parameter readsRequest: Whether the answer begins after the request.
    init(_ answer: String, readsRequest: Bool = true) throws {
      listener = try TestSocket.listening(at: 0)
      port = TestSocket.port(of: listener)
      let (listener, count) = (listener, count)
      Thread.detachNewThread {
        while true {
          let client = accept(listener, nil, nil)
          if client < 0 { break }
          count.withLock { $0 += 1 }
          if readsRequest { Self.readRequest(client) }
          _ = TestSocket.write(answer.utf8, to: client)
          shutdown(client, Int32(SHUT_WR))
          // Until the client has read it all.
          var byte: UInt8 = 0
          while recv(client, &byte, 1, 0) > 0 {}
          close(client)
        }
        close(listener)
      }
    }

    deinit {
      shutdown(listener, Int32(SHUT_RDWR))
    }

    var endpoint: String { "http://127.0.0.1:\(port)" }

    /// The number of connections so far.
    var connectionCount: Int { count.withLock { $0 } }

    /// Reads up to the end of the JSON, which has no line feeds.
    private static func readRequest(_ socket: Int32) {
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = recv(socket, &buffer, buffer.count, 0)
        if count <= 0 { return }
        text += String(decoding: buffer[..<count], as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n"),
          let length = text.firstMatch(of: /Content-Length: (\d+)/).flatMap({ Int($0.1) })
        else { continue }
        if text[end.upperBound...].utf8.count >= length { return }
      }
    }
  }
#endif
