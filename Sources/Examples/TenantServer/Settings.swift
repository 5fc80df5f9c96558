import Preferences
import PropertyList

/// The server's own preferences.
///
/// Each is looked up on the command line (`--threads=8`), in the environment
/// (`TENANT_SERVER_THREADS=8`), in the file of settings, and among the defaults, in this order. The
/// limits may change while the server runs: a new value in the file applies from the next request
/// on. If the file does not pass the check, the last good values stay.
struct Settings: Sendable {
  private static let usualFile = "/etc/tenant-server.plist"

  private static let defaults: PlistDictionary = [
    // The file of settings; it need not exist.
    "settings": .string(usualFile),
    "socket": "/run/tenant-server.socket",
    // The folder of the tenants, with a subfolder for each.
    "tenants": "/var/lib/tenant-server",
    "workers": 0,
    "threads": 16,
    "daemon": false,
    "pidFile": "/run/tenant-server.pid",
    "shutdownSeconds": 20,
    "maximumTenants": 10_000,
    "longestRequest": 65_536,
    // Descriptors that a supervisor hands to its workers.
    "listener": -1,
    "lifeline": -1,
  ]

  /// The allowed values.
  private static let ranges: [(key: String, range: ClosedRange<Int64>)] = [
    ("workers", 0...64), ("threads", 1...1024), ("shutdownSeconds", 1...3600),
    ("maximumTenants", 1...1_000_000), ("longestRequest", 64...1 << 24),
  ]

  let socket: String
  let tenants: String
  /// The number of processes that serve; 0 if the first one does so itself.
  let workers: Int
  /// The number of threads of each process, which is also the number of connections at a time.
  let threads: Int
  let isDaemon: Bool
  let pidFile: String
  /// How long saving everything may take at the end.
  let shutdownLimit: Duration
  /// The descriptor of the socket, in a worker of a supervisor.
  let inheritedListener: Int32?
  /// In a worker, a pipe that is closed when the supervisor ends.
  let lifeline: Int32?

  private let store: PreferencesStore

  /// Reads the settings.
  ///
  /// - Throws: An error for a setting that is missing, has the wrong type or is out of range.
  init() throws {
    // The command line and the environment may name a file other than the usual one.
    let usual = Self.store(at: Self.usualFile)
    store = Self.store(at: try usual.value(String.self, forKey: "settings"))
    if let problem = store.problems.first { throw problem }
    socket = try store.value(String.self, forKey: "socket")
    tenants = try store.value(String.self, forKey: "tenants")
    workers = try store.value(Int.self, forKey: "workers")
    threads = try store.value(Int.self, forKey: "threads")
    isDaemon = try store.value(Bool.self, forKey: "daemon")
    pidFile = try store.value(String.self, forKey: "pidFile")
    shutdownLimit = .seconds(try store.value(Int.self, forKey: "shutdownSeconds"))
    let listener = try store.value(Int32.self, forKey: "listener")
    inheritedListener = listener < 0 ? nil : listener
    let lifeline = try store.value(Int32.self, forKey: "lifeline")
    self.lifeline = lifeline < 0 ? nil : lifeline
    // Values from the command line and the environment have not been checked yet.
    for (key, range) in Self.ranges {
      try Self.check(key, range, .integer(store.value(Int64.self, forKey: key)))
    }
  }

  private static func store(at path: String) -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.argumentOptions.acceptsLongOptions = true
    options.environment = EnvironmentOptions(prefix: "TENANT_SERVER_")
    // The server's defaults are not its tenants'.
    options.usesPrivateRegistrationDomain = true
    options.isReadOnly = true
    options.check = { values in
      for (key, range) in ranges { try values[key].map { try check(key, range, $0) } }
    }
    let store = PreferencesStore(fileAt: path, options: options)
    store.register(defaults: defaults)
    return store
  }

  private static func check(
    _ key: String, _ range: ClosedRange<Int64>, _ value: PlistValue
  ) throws {
    guard case .integer(let number) = value, range.contains(number) else {
      throw Failure("\(key) must be an integer from \(range.lowerBound) to \(range.upperBound)")
    }
  }

  // MARK: Limits, as they are now

  /// The number of tenants that may be open.
  var maximumTenants: Int { store.integer(forKey: "maximumTenants") }

  /// The number of bytes that a request may have.
  var longestRequest: Int { store.integer(forKey: "longestRequest") }

  /// Reads the file again, for file systems that do not report changes.
  func reload() { store.synchronize() }
}
