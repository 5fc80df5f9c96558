import Foundation
import PropertyList
import SyncHistories
import TestSupport
import Threading

@testable import Preferences
@testable import PreferencesSync

/// A machine whose writes and values are recorded in a history.
final class RecordedMachine: Sendable {
  let number: Int
  private let remote: UnreliableStore
  private let registry: UnreliableStore
  let clock = Clock()
  private let folder: TemporaryFolder
  private let keys: [String]
  private let log: HistoryLog
  private let store: PreferencesStore
  private let observation: PreferencesObservation
  private let synchronizer: Lock<PreferencesSynchronizer>

  /// - Parameters:
  ///   - remote: The connection to the remote store.
  ///   - registry: The connection to the registry.
  init(
    _ number: Int, _ keys: [String], remote: UnreliableStore, registry: UnreliableStore,
    _ log: HistoryLog
  ) throws {
    self.number = number
    self.keys = keys
    self.remote = remote
    self.registry = registry
    self.log = log
    folder = try TemporaryFolder(isInMemory: true)
    store = PreferencesStore(fileAt: folder.path("store.plist"))
    observation = store.observe(keys, initial: true) { change in
      log.record(
        .observed(machine: number, key: change.key, value: Self.text(of: change.newValue)))
    }
    synchronizer = Lock(Self.synchronizer(store, remote, registry, folder, clock, keys))
  }

  deinit {
    synchronizer.withLock { $0 }.cancel()
    observation.cancel()
    try? store.flush()
  }

  private static func synchronizer(
    _ store: PreferencesStore, _ remote: UnreliableStore, _ registry: UnreliableStore,
    _ folder: TemporaryFolder, _ clock: Clock, _ keys: [String]
  ) -> PreferencesSynchronizer {
    var options = PreferencesSynchronizer.Options()
    options.uploadInterval = .zero
    options.retryDelays = .milliseconds(1)...Duration.milliseconds(5)
    // Removals are collected after 20 seconds, once all machines have seen them.
    options.clockTolerance = .seconds(10)
    options.markInterval = .zero
    options.collectionInterval = .zero
    options.removalLifetime = .seconds(100_000_000)
    options.machineLifetime = .seconds(100_000_000)
    let synchronizer = PreferencesSynchronizer(
      store: store, remote: remote, registry: registry, stateFileAt: folder.path("state.plist"),
      options: options, now: { clock.now })
    synchronizer.add(keys)
    return synchronizer
  }

  private static func text(of value: PlistValue?) -> String? {
    switch value {
    case nil: nil
    case .string(let text): text
    case .some(let other): "\(other)"
    }
  }

  /// What is wrong with the connections to the remote store and the registry.
  var faults: Set<UnreliableStore.Fault> {
    get { remote.faults }
    set {
      remote.faults = newValue
      registry.faults = newValue
    }
  }

  /// Sets a key to a new value, or removes it.
  ///
  /// - Parameter isLost: Whether the value is acknowledged but not set, which is wrong.
  func write(_ key: String, isRemoval: Bool, isLost: Bool = false) {
    let write = log.recordWrite(machine: number, key: key, isRemoval: isRemoval)
    if isRemoval && store.plistValue(forKey: key) == nil {
      return log.record(.skipped(write.number))
    }
    if !isLost { store.put(write.value.map { .string($0) }, forKey: key) }
    log.record(.saved(write.number))
  }

  /// Sets a key to a value that is not recorded, which is wrong.
  func writeUnrecorded(_ key: String) { store.put("unrecorded", forKey: key) }

  /// Ends the synchronizer, whatever it is doing, and starts another one.
  func restart() {
    synchronizer.withLock { synchronizer in
      synchronizer.cancel()
      synchronizer = Self.synchronizer(store, remote, registry, folder, clock, keys)
    }
  }

  func makeLateChanges() async throws {
    for store in [remote, registry] { try await store.makeLateChanges() }
  }

  func wait() async throws { try await synchronizer.withLock { $0 }.waitForCompletion() }

  /// Records the values in the end.
  func recordEnd() {
    for key in keys {
      log.record(
        .final(
          .machine(number), key: key, value: Self.text(of: store.plistValue(forKey: key))))
    }
  }

  /// Records the values that a remote store has in the end.
  static func recordEnd(of entries: [RemoteEntry], _ keys: [String], _ log: HistoryLog) throws {
    for key in keys {
      let record = try entries.first { $0.key == key }.map { try SyncRecord($0.data) }
      log.record(.final(.remote, key: key, value: text(of: record?.value)))
    }
  }
}
