import Glibc
import Preferences

/// A server with separate preferences for many tenants: an example of Larder in a long-running
/// process.
///
/// Clients connect to a Unix socket and send lines such as `set acme theme dark`; ``Request`` has the
/// whole protocol. Each tenant has a store of its own, in a subfolder. The server is configured by
/// ``Settings``, which are also preferences.
///
///     swift run TenantServer --socket=/tmp/tenants.socket --tenants=/tmp/tenants &
///     swift run TenantServer ask /tmp/tenants.socket set acme theme dark
///     swift run TenantServer ask /tmp/tenants.socket get acme theme
///     kill %1
///
/// It shows many threads that read and write, values and settings that change while it runs, and an
/// end after which everything is on disk.
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
    // A client that has gone ends nothing.
    signal(SIGPIPE, SIG_IGN)
    let settings = try Settings()
    if let listener = settings.inheritedListener {
      return try Worker(settings, Listener(inherited: listener)).run()
    }
    // Forks before there are threads, which a child does not have.
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
