import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
import PreferencesSyncTesting
@testable import Preferences
@testable import PreferencesSync

/// A machine with a store that is synchronized, in a folder of its own.
final class Machine: Sendable {
  let folder: TemporaryFolder
  let remote: InMemoryRemoteStore
  let clock: Clock
  private let currentStore: Lock<PreferencesStore>
  private let currentSynchronizer: Lock<PreferencesSynchronizer?>
  private let failures = Lock<[String]>([])

  var store: PreferencesStore { currentStore.withLock { $0 } }
  var synchronizer: PreferencesSynchronizer { currentSynchronizer.withLock { $0! } }

  /// Prepares the machine; it is started then.
  init(
    _ remote: InMemoryRemoteStore, clock: Clock = Clock(), starts: Bool = true
  ) throws {
    folder = try TemporaryFolder()
    self.remote = remote
    self.clock = clock
    currentStore = Lock(PreferencesStore(fileAt: folder.path("store.plist")))
    currentSynchronizer = Lock(nil)
    if starts { start() }
  }

  deinit {
    currentSynchronizer.withLock { $0 }?.cancel()
    try? store.flush()
  }

  var queuePath: String { folder.path("state/queue.plist") }

  /// Begins to synchronize keys.
  ///
  /// - Parameters:
  ///   - interval: How long changes gather after an upload.
  ///   - store: The store in the place of the present one.
  ///   - queuePath: The file of what is remembered, where it is not the machine's own.
  func start(
    _ keys: [String] = ["k"], interval: Duration = .zero, store: PreferencesStore? = nil,
    queuePath: String? = nil,
    retryDelays: ClosedRange<Duration> = .seconds(3600)...Duration.seconds(3600)
  ) {
    var options = PreferencesSynchronizer.Options()
    options.uploadInterval = interval
    options.retryDelays = retryDelays
    if let store { currentStore.withLock { $0 = store } }
    let synchronizer = PreferencesSynchronizer(
      store: self.store, remote: remote, stateFileAt: queuePath ?? self.queuePath, options: options,
      now: { [clock] in clock.now })
    synchronizer.onFailure { [failures, folder] failure in
      let text = "\(failure)".replacing(folder.path, with: "folder")
      failures.withLock { $0.append(text) }
    }
    currentSynchronizer.withLock { $0 = synchronizer }
    synchronizer.add(keys)
  }

  /// Ends the program: what is saved is all that is left of it.
  func stop() throws {
    try store.flush()
    let ended = currentSynchronizer.withLock { synchronizer in
      defer { synchronizer = nil }
      return synchronizer
    }
    ended?.cancel()
  }

  /// Begins to synchronize keys with a store that has been read anew.
  func restart(_ keys: [String] = ["k"]) throws {
    try stop()
    start(keys)
  }

  /// Waits until all is done.
  func wait() async throws { try await synchronizer.waitForCompletion() }

  /// The value of the key that most tests use.
  var value: PlistValue? { store.plistValue(forKey: "k") }

  /// What went wrong since the last call.
  func takeFailures() -> [String] {
    failures.withLock { failures in
      defer { failures = [] }
      return failures
    }
  }

  /// What is remembered of a key.
  func remembered(_ key: String = "k") throws -> QueueEntry? {
    guard let data = try? folder.data("state/queue.plist"),
      case .dictionary(let values) = try Plist.read(data).value
    else { return nil }
    return try values[key].map { try QueueEntry($0) }
  }
}

/// A clock that stands still until it is set.
final class Clock: Sendable {
  private let time: Lock<Date>

  init(_ seconds: Double = 1000) {
    time = Lock(Date(timeIntervalSinceReferenceDate: seconds))
  }

  var now: Date { time.withLock { $0 } }

  func set(_ seconds: Double) {
    time.withLock { $0 = Date(timeIntervalSinceReferenceDate: seconds) }
  }
}

extension InMemoryRemoteStore {
  /// Puts a record, as another machine would.
  func put(_ value: PlistValue?, at seconds: Double, forKey key: String = "k") async throws {
    let record = try SyncRecord(
      date: Date(timeIntervalSinceReferenceDate: seconds), value: value)
    try await put(record.data, forKey: key)
  }

  /// Puts bytes in the place of whatever there is.
  func put(_ data: Data, forKey key: String = "k") async throws {
    let present = try await entries().entries.first { $0.key == key }
    let result = try await put(data, forKey: key, replacing: present?.revision ?? 0)
    guard case .stored = result else { throw RemoteStoreError.contradiction(key: key) }
  }

  /// What the store has of a key.
  func value(_ key: String = "k") throws -> PlistValue? { try record(forKey: key)?.value }
}

/// A machine for each of several users of a remote store.
func machines(_ count: Int, _ remote: InMemoryRemoteStore) throws -> [Machine] {
  try (0..<count).map { _ in try Machine(remote) }
}

/// A gate at which tasks wait until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// How many have come to the gate.
  var arrivals: Int { state.withLock { $0.arrivals } }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
