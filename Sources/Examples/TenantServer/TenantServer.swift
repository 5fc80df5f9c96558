import Foundation
import Glibc
import Preferences
import Synchronization

/// A server with separate preferences for many tenants: an example of Larder in a long-running
/// process.
///
/// `TenantServer <folder> [tenants [readers]]` opens a store for each tenant, each in a subfolder,
/// and reads all of them continuously on several threads. Changes that other processes make to the
/// tenants' files arrive without a call. Every second it prints a line of statistics with the sum
/// of the tenants' versions. On SIGTERM or SIGINT it flushes all stores and exits.
@main
struct TenantServer: Sendable {
  /// The domain of each tenant.
  static let domain = "org.example.service"

  private let stores: [PreferencesStore]
  private let readerCount: Int
  private let counts = Counts()

  /// Counters for all threads.
  private final class Counts: Sendable {
    let reads = Atomic(0)
    let changes = Atomic(0)
    /// The number of gaps in the changes of an observer and of reads that went back in time.
    let errors = Atomic(0)
    let isStopping = Atomic(false)
  }

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let folder = arguments.first, arguments.count <= 3 else {
      print("usage: TenantServer <folder> [tenants [readers]]")
      exit(2)
    }
    let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
    let server = try TenantServer(
      folder: folder, tenants: numbers.first ?? 1000,
      readers: numbers.dropFirst().first ?? 16)
    try server.run()
  }

  private init(folder: String, tenants: Int, readers: Int) throws {
    stores = try (0..<tenants).map { tenant in
      var options = PreferencesStore.Options()
      options.locations = DomainLocations(within: "\(folder)/tenant-\(tenant)")
      // The arguments of the server must not override the preferences of a tenant.
      options.arguments = []
      options.usesPrivateRegistrationDomain = true
      let store = try PreferencesStore(domain: Self.domain, options: options)
      store.register(defaults: ["version": 0, "greeting": "Welcome"])
      return store
    }
    readerCount = readers
  }

  private func run() throws {
    // The signals are blocked before any thread starts, so that `sigwait` receives them. The
    // library installs no handlers, and its threads block all signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    let observations = stores.map(observe)
    for reader in 0..<readerCount { Thread.detachNewThread { read(from: reader) } }
    Thread.detachNewThread { report() }
    say("ready")

    var signal: Int32 = 0
    sigwait(&signals, &signal)
    counts.isStopping.store(true, ordering: .relaxed)
    for observation in observations { observation.cancel() }
    for store in stores { store.set(true, forKey: "stopped") }
    let start = ContinuousClock.now
    try PreferencesStore.flushAll(timeout: .seconds(20))
    let duration = start.duration(to: .now)
    say("saved \(stores.count) stores in \(duration.formatted(.units(allowed: [.milliseconds])))")
    say("errors \(counts.errors.load(ordering: .relaxed))")
  }

  /// Counts the changes of a tenant's version; the old value of each must be the new value of the
  /// last.
  private func observe(_ store: PreferencesStore) -> PreferencesObservation {
    let last = Mutex(store.plistValue(forKey: "version"))
    return store.observe("version") { change in
      counts.changes.add(1, ordering: .relaxed)
      let isNext = last.withLock { last in
        defer { last = change.newValue }
        return last == change.oldValue
      }
      if !isNext { counts.errors.add(1, ordering: .relaxed) }
    }
  }

  /// Reads one tenant after another, and occasionally sets a value.
  private func read(from reader: Int) {
    var tenant = reader * stores.count / readerCount
    var reads = 0
    while !counts.isStopping.load(ordering: .relaxed) {
      let store = stores[tenant]
      let version = store.integer(forKey: "version")
      _ = store.string(forKey: "greeting")
      _ = store.bool(forKey: "suspended")
      if store.integer(forKey: "version") < version { counts.errors.add(1, ordering: .relaxed) }
      reads += 4
      if reads % 4096 == 0 {
        counts.reads.add(4096, ordering: .relaxed)
        // Simulates the wait for the next request.
        usleep(1000)
      }
      if reads % 1_000_000 == 0 { store.set(reads, forKey: "reads of \(reader)") }
      tenant = (tenant + 1) % stores.count
    }
  }

  /// Prints statistics every second.
  private func report() {
    var earlier = 0
    while true {
      sleep(1)
      let reads = counts.reads.load(ordering: .relaxed)
      say(
        "reads \(reads - earlier) memory \(Self.residentKilobytes) descriptors "
          + "\(Self.count("/proc/self/fd")) threads \(Self.count("/proc/self/task")) changes "
          + "\(counts.changes.load(ordering: .relaxed)) versions "
          + "\(stores.map { $0.integer(forKey: "version") }.reduce(0, +))")
      earlier = reads
    }
  }

  private static func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }

  private static var residentKilobytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE)) / 1024
  }

  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
