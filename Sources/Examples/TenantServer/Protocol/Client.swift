/// The other side, for scripts and for trying the server.
enum Client {
  /// Sends a request and prints the answer.
  ///
  /// - Returns: The exit status: 1 if the answer is an error.
  static func ask(_ request: String, at socket: String) throws -> Int32 {
    let server = try Connection(to: socket)
    defer { server.close() }
    guard server.send(request + "\n") else { throw Failure("\(socket): the server has gone") }
    guard let first = try server.readLine() else { throw Failure("\(socket): no answer") }
    Log.say(first)
    if ["list", "metrics"].contains(request.prefix { $0 != " " }), !first.hasPrefix("error: ") {
      var line: String? = first
      while let last = line, last != "." {
        line = try server.readLine()
        if let line { Log.say(line) }
      }
    }
    return first.hasPrefix("error: ") ? 1 : 0
  }
}
