import Glibc
import Preferences

/// A server with separate preferences for many tenants: an example of Larder in a long-running
/// process.
///
/// Clients connect to a Unix socket and send lines such as `set acme theme dark`; ``Request`` has
/// the whole protocol. Each tenant has its own store, in a subfolder. The server is configured by
/// ``Settings``, which are also preferences.
///
///     swift run TenantServer --socket=/tmp/tenants.socket --tenants=/tmp/tenants &
///     swift run TenantServer ask /tmp/tenants.socket set acme theme dark
///     swift run TenantServer ask /tmp/tenants.socket get acme theme
///     kill %1
///
/// It shows many threads that read and write, values and settings that change while it runs, and a
/// shutdown that leaves everything on disk.
///
/// Reading order: ``Worker`` serves, ``Service`` answers, ``Tenants`` keeps the stores. ``Supervisor``
/// runs several workers, and ``Daemon`` leaves the terminal.
@main
enum TenantServer {
  private static let usage = """
    usage: TenantServer [--<setting>=<value> ...]     serve; --settings names a file of settings
           TenantServer ask <socket> <request ...>    send a request and print the answer

    """

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      switch arguments.first {
      case nil: try serve()
      case "ask"? where arguments.count > 2:
        exit(try Client.ask(arguments.dropFirst(2).joined(separator: " "), at: arguments[2]))
      case let first? where first.hasPrefix("--") && first != "--help": try serve()
      default:
        Log.complain(usage)
        exit(arguments.first == "--help" ? 0 : 2)
      }
    } catch {
      Log.complain("TenantServer: \(error)\n")
      exit(1)
    }
  }

  private static func serve() throws {
    // Writing to a client that has disconnected must not end the server.
    signal(SIGPIPE, SIG_IGN)
    let settings = try Settings()
    if let listener = settings.inheritedListener {
      return try Worker(settings, Listener(inherited: listener)).run()
    }
    // Forks before there are threads, because a forked child has only one.
    let daemon = settings.isDaemon ? try Daemon(pidFile: settings.pidFile) : nil
    defer { daemon?.end() }
    let listener = try Listener(path: settings.socket)
    defer { listener.remove() }
    if settings.workers == 0 {
      try Worker(settings, listener).run { daemon?.reportReady() }
    } else {
      var supervisor = Supervisor(settings, listener)
      try supervisor.run { daemon?.reportReady() }
    }
  }
}

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
