import Foundation
import Preferences
import PropertyList
import Synchronization

/// Many stores that are read continuously on several threads, as a server under load does.
final class LoadedStores: Sendable {
  let stores: [PreferencesStore]
  let reads = Atomic(0)
  let changes = Atomic(0)
  /// The number of gaps in the changes of an observer and of reads that went back in time.
  let errors = Atomic(0)
  private let isStopping = Atomic(false)

  init(folder: String, count: Int) throws {
    stores = try (0..<count).map { tenant in
      var options = PreferencesStore.Options()
      options.locations = DomainLocations(within: "\(folder)/tenant-\(tenant)")
      options.arguments = []
      options.usesPrivateRegistrationDomain = true
      let store = try PreferencesStore(domain: "org.example.service", options: options)
      store.register(defaults: ["version": 0, "greeting": "Welcome"])
      return store
    }
  }

  /// Counts the changes of all versions; the old value of each must be the new value of the last.
  func observe() -> [PreferencesObservation] {
    stores.map { store in
      let last = Mutex(store.plistValue(forKey: "version"))
      return store.observe("version") { [self] change in
        changes.add(1, ordering: .relaxed)
        let isNext = last.withLock { last in
          defer { last = change.newValue }
          return last == change.oldValue
        }
        if !isNext { errors.add(1, ordering: .relaxed) }
      }
    }
  }

  /// Starts threads that read until ``stop()``.
  ///
  /// - Parameter pause: The time in microseconds that each waits after 4096 reads, as for the next
  ///   request.
  func startReaders(_ count: Int, pause: UInt32) {
    for reader in 0..<count {
      Thread.detachNewThread { [self] in
        read(from: reader * stores.count / count, reader: reader, pause: pause)
      }
    }
  }

  func stop() { isStopping.store(true, ordering: .relaxed) }

  /// Reads one store after another, and occasionally sets a value.
  private func read(from first: Int, reader: Int, pause: UInt32) {
    var tenant = first
    var count = 0
    while !isStopping.load(ordering: .relaxed) {
      let store = stores[tenant]
      let version = store.integer(forKey: "version")
      _ = store.string(forKey: "greeting")
      _ = store.bool(forKey: "suspended")
      if store.integer(forKey: "version") < version { errors.add(1, ordering: .relaxed) }
      count += 4
      if count % 4096 == 0 {
        reads.add(4096, ordering: .relaxed)
        if pause > 0 { usleep(pause) }
      }
      if count % 1_000_000 == 0 { store.set(count, forKey: "reads of \(reader)") }
      tenant = (tenant + 1) % stores.count
    }
  }
}
