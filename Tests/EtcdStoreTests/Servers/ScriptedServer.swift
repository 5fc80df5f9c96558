#if Etcd
  import Foundation
  import Threading

  /// A server that answers requests as a test wants, byte for byte, one request for each connection.
  final class ScriptedServer: Sendable {
    /// A request.
    struct Request: Sendable {
      /// The path after `/v3/`.
      var path: String
      /// The head and the JSON.
      var text: String
    }

    let port: Int
    private let listener: Int32
    private let counts = Lock((all: 0, open: 0))

    /// Starts a server that gives every request the same answer.
    ///
    /// - Parameter readsRequest: Whether the answer begins after the request.
    convenience init(_ answer: String, readsRequest: Bool = true) throws {
      try self.init(readsRequest: readsRequest) { _ in answer }
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - endlessPath: The path of requests whose responses continue until the client ends them;
    ///     nil for none.
    ///   - readsRequest: Whether the answer begins after the request, and not at once.
    ///   - answer: Returns the answer to a request; an empty one if it is not read.
    init(
      endlessPath: String? = nil, readsRequest: Bool = true,
      _ answer: @escaping @Sendable (Request) -> String
    ) throws {
      listener = try TestSocket.listening(at: 0)
      port = TestSocket.port(of: listener)
      let (listener, counts) = (listener, counts)
      Thread.detachNewThread {
        while true {
          let client = accept(listener, nil, nil)
          if client < 0 { break }
          counts.withLock { counts in
            counts.all += 1
            counts.open += 1
          }
          Thread.detachNewThread {
            let none = Request(path: "", text: "")
            if let request = readsRequest ? Self.readRequest(client) : none {
              _ = TestSocket.write(answer(request).utf8, to: client)
              if request.path != endlessPath { shutdown(client, Int32(SHUT_WR)) }
            }
            // Until the client has read it all.
            var byte: UInt8 = 0
            while recv(client, &byte, 1, 0) > 0 {}
            close(client)
            counts.withLock { $0.open -= 1 }
          }
        }
        close(listener)
      }
    }

    deinit {
      shutdown(listener, Int32(SHUT_RDWR))
    }

    var endpoint: String { "http://127.0.0.1:\(port)" }

    /// The number of connections so far.
    var connectionCount: Int { counts.withLock { $0.all } }

    /// The number of connections that neither side has ended.
    var openCount: Int { counts.withLock { $0.open } }

    /// An answer of JSON that ends with the connection.
    static func answer(_ json: String, status: String = "200 OK") -> String {
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n\(json)\n"
    }

    /// Reads up to the end of the JSON, which has no line feeds; nil if the client ends the connection.
    private static func readRequest(_ socket: Int32) -> Request? {
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = recv(socket, &buffer, buffer.count, 0)
        if count <= 0 { return nil }
        text += String(decoding: buffer[..<count], as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n"),
          let length = text.firstMatch(of: /Content-Length: (\d+)/).flatMap({ Int($0.1) })
        else { continue }
        if text[end.upperBound...].utf8.count >= length {
          let path = text.firstMatch(of: #/^POST /v3/(\S+) /#).map { String($0.1) }
          return Request(path: path ?? "", text: text)
        }
      }
    }
  }
#endif
