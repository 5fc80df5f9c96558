import Foundation
import Preferences
import Synchronization

extension Main {
  /// `serve-tenants <count> <readers>` reads stores in the folder that is given instead of the file,
  /// and observes them. It prints `ready`, and every second a line with the reads, the resources and
  /// the sum of the versions. On SIGTERM it saves all stores and ends.
  func serveTenants() throws {
    // The signal is blocked before any thread starts, so that `sigwait` receives it.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    let load = try LoadedStores(folder: path, count: number(0))
    let observations = load.observe()
    load.startReaders(number(1), pause: 1000)
    Thread.detachNewThread { report(load) }
    say("ready")

    var signal: Int32 = 0
    sigwait(&signals, &signal)
    load.stop()
    for observation in observations { observation.cancel() }
    for store in load.stores { store.set(true, forKey: "stopped") }
    let start = ContinuousClock.now
    try PreferencesStore.flushAll(timeout: .seconds(20))
    let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
    say("saved \(load.stores.count) stores in \(milliseconds) ms")
    say("errors \(load.errors.load(ordering: .relaxed))")
  }

  /// Prints statistics every second.
  private func report(_ load: LoadedStores) {
    func count(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
    var earlier = 0
    while true {
      sleep(1)
      let reads = load.reads.load(ordering: .relaxed)
      say(
        "reads \(reads - earlier) memory \(Self.residentKilobytes(of: "self")) descriptors "
          + "\(count("/proc/self/fd")) threads \(count("/proc/self/task")) changes "
          + "\(load.changes.load(ordering: .relaxed)) versions "
          + "\(load.stores.map { $0.integer(forKey: "version") }.reduce(0, +))")
      earlier = reads
    }
  }

  static func residentKilobytes(of process: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE)) / 1024
  }
}
