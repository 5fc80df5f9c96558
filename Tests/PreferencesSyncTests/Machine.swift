import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing
import Threading

@testable import Preferences
@testable import PreferencesSync

/// A machine with a synchronized store, in a new folder.
final class Machine: Sendable {
  let folder: TemporaryFolder
  let remote: InMemoryRemoteStore
  let registry: InMemoryRemoteStore?
  /// Whether values and registry are two parts of the remote store.
  private let hasParts: Bool
  private let domain: String
  let clock: Clock
  private let currentStore: Lock<PreferencesStore>
  private let currentSynchronizer: Lock<PreferencesSynchronizer?>
  private let failures = Lock<[String]>([])
  /// Dates changes while no synchronizer runs.
  private let stampClock: StampClock

  var store: PreferencesStore { currentStore.withLock { $0 } }
  var synchronizer: PreferencesSynchronizer { currentSynchronizer.withLock { $0! } }

  /// Creates the machine and, by default, starts its synchronizer.
  init(
    _ remote: InMemoryRemoteStore, registry: InMemoryRemoteStore? = nil, hasParts: Bool = false,
    domain: String = "d", clock: Clock = Clock(), starts: Bool = true
  ) throws {
    folder = try TemporaryFolder(isInMemory: true)
    self.remote = remote
    self.registry = registry
    self.hasParts = hasParts
    self.domain = domain
    self.clock = clock
    currentStore = Lock(PreferencesStore(fileAt: folder.path("store.plist")))
    stampClock = StampClock { clock.now }
    currentSynchronizer = Lock(nil)
    store.setStampClock(stampClock)
    if starts { start() }
  }

  deinit {
    currentSynchronizer.withLock { $0 }?.cancel()
    try? store.flush()
  }

  var stateFilePath: String { folder.path("state/sync.plist") }

  /// Starts to synchronize keys.
  ///
  /// - Parameters:
  ///   - interval: The upload interval.
  ///   - store: A store that replaces the present one.
  ///   - stateFilePath: A state file other than the machine's own.
  ///   - isSynchronized: Whether the system synchronizes the clock.
  func start(
    _ keys: [String] = ["k"], interval: Duration = .zero, store: PreferencesStore? = nil,
    stateFilePath: String? = nil,
    retryDelays: ClosedRange<Duration> = .seconds(3600)...Duration.seconds(3600),
    isSynchronized: Bool = false
  ) {
    var options = PreferencesSynchronizer.Options()
    options.uploadInterval = interval
    options.retryDelays = retryDelays
    // With each exchange.
    options.markInterval = .zero
    options.collectionInterval = .zero
    if let store { currentStore.withLock { $0 = store } }
    let synchronizer = PreferencesSynchronizer(
      store: self.store, remote: hasParts ? remote.values(ofDomain: domain) : remote,
      registry: hasParts ? remote.registry(ofDomain: domain) : registry,
      stateFileAt: stateFilePath ?? self.stateFilePath,
      options: options,
      now: { [clock] in clock.now }, isSynchronized: { isSynchronized })
    synchronizer.onFailure { [failures, folder] failure in
      let text = "\(failure)".replacing(folder.path, with: "folder")
      failures.withLock { $0.append(text) }
    }
    currentSynchronizer.withLock { $0 = synchronizer }
    synchronizer.add(keys)
  }

  /// Ends the synchronizer as the end of its process would.
  func stop() throws {
    try store.flush()
    let ended = currentSynchronizer.withLock { synchronizer in
      defer { synchronizer = nil }
      return synchronizer
    }
    ended?.cancel()
    store.setStampClock(stampClock)
  }

  /// Replaces the synchronizer, as a restart of its process would.
  func restart(_ keys: [String] = ["k"]) throws {
    try stop()
    start(keys)
  }

  /// Waits for completion.
  func wait() async throws { try await synchronizer.waitForCompletion() }

  /// The value of the key of most tests.
  var value: PlistValue? { store.plistValue(forKey: "k") }

  /// Removes and returns the failures since the last call.
  func takeFailures() -> [String] {
    failures.withLock { failures in
      defer { failures = [] }
      return failures
    }
  }

  /// Returns the entry of a key in the state file.
  func savedEntry(_ key: String = "k") throws -> StateFileEntry? {
    try savedState()[key].map { try StateFileEntry($0) }
  }

  /// The machine's entry in the state file.
  func savedMachine() throws -> StateFileMachine {
    try #require(StateFileMachine(savedState()[StateFileName.machine]))
  }

  private func savedState() throws -> PlistDictionary {
    guard let data = try? folder.data("state/sync.plist"),
      case .dictionary(let values) = try Plist.read(data).value
    else { return PlistDictionary() }
    return values
  }
}

extension TemporaryFolder {
  /// Changes a property list as a program without stamps does: it keeps keys that it does not know.
  func changePlist(_ name: String, _ body: (inout PlistDictionary) -> Void) throws {
    let document = try Plist.read(data(name))
    guard case .dictionary(var values) = document.value else {
      throw CocoaError(.fileReadCorruptFile)
    }
    body(&values)
    try write(Plist.write(.dictionary(values), as: document.format), to: name)
  }
}

/// A clock that changes only when it is set.
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

  /// Replaces the present entry by data.
  func put(_ data: Data, forKey key: String = "k") async throws {
    let present = try await entries().entries.first { $0.key == key }
    let result = try await put(data, forKey: key, replacing: present?.revision ?? 0)
    guard case .stored = result else { throw RemoteStoreError.inconsistent(key: key) }
  }

  /// Returns the value of a key.
  func value(_ key: String = "k") throws -> PlistValue? { try record(forKey: key)?.value }
}

/// Creates machines that share a remote store.
func machines(_ count: Int, _ remote: InMemoryRemoteStore) throws -> [Machine] {
  try (0..<count).map { _ in try Machine(remote) }
}

/// A gate where tasks wait until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// The number of tasks that have reached the gate.
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
