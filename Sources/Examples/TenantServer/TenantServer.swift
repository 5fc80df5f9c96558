import Foundation
import Glibc
import Preferences
import Synchronization

/// A server that keeps the preferences of many tenants apart: how Larder is embedded in a process that
/// runs for long.
///
/// `TenantServer <folder> [tenants [readers]]` has a store for each tenant, in a folder of its own within
/// the given one, and threads that read them all the time. What other processes write to the tenants'
/// files is seen without a call. Each second it prints a line of what it does and uses, with the sum of
/// the tenants' versions as it sees them; on SIGTERM or SIGINT it saves what is unsaved and ends.
@main
struct TenantServer: Sendable {
  /// The domain of every tenant.
  static let domain = "org.example.service"

  private let stores: [PreferencesStore]
  private let readerCount: Int
  private let counts = Counts()

  /// What has happened so far.
  private final class Counts: Sendable {
    let reads = Atomic(0)
    let changes = Atomic(0)
    /// Observers whose chain of changes had a gap, and reads that went back in time.
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
      // A tenant's preferences are not those of whoever starts the server.
      options.arguments = []
      options.usesPrivateRegistrationDomain = true
      let store = try PreferencesStore(domain: Self.domain, options: options)
      store.register(defaults: ["version": 0, "greeting": "Welcome"])
      return store
    }
    readerCount = readers
  }

  private func run() throws {
    // Blocked before any thread is started, the signals wait for the one that asks for them. The library
    // installs no handlers, and its threads leave all signals to others.
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

  /// Counts the changes of a tenant's version, each of which has to begin where the last one ended.
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

  /// Reads one tenant after another, and sets something now and then.
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
        // A thread that serves requests waits for the next one at times.
        usleep(1000)
      }
      if reads % 1_000_000 == 0 { store.set(reads, forKey: "reads of \(reader)") }
      tenant = (tenant + 1) % stores.count
    }
  }

  /// Prints each second what the process uses.
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
