import Foundation
import PropertyList
import TestSupport

@testable import Preferences
@testable import PreferencesSync

/// A machine whose files are replaced by older copies, or copied to another machine.
final class ReplacedMachine {
  /// The file of the store and the state files, by name; nil for one that is missing.
  typealias Copy = [String: Data?]

  let number: Int
  private let keys: [String]
  private let values: UnreliableStore
  private let registry: UnreliableStore
  private let clock: Clock
  private let folder: TemporaryFolder
  private(set) var store: PreferencesStore
  /// The same file in another process.
  private let other: PreferencesStore
  private var synchronizers: [PreferencesSynchronizer] = []
  /// Dates changes while no synchronizer runs.
  private let stampClock: StampClock
  /// Whether another synchronizer uses the same store.
  var hasSecondSynchronizer = false
  /// Whether the store's file may have no stamps, so that values get the time of its last change.
  private(set) var mayLackStamps = true
  /// Whether all keys are in the configuration.
  private var hasAllKeys = false
  /// The keys that were removed from the synchronizers.
  private(set) var removed: Set<String> = []

  static let storeFile = "store.plist"
  static let stateFiles = ["state.plist", "second.plist"]

  init(
    _ number: Int, _ keys: [String], values: UnreliableStore, registry: UnreliableStore,
    _ clock: Clock, _ files: Copy = [:]
  ) throws {
    (self.number, self.keys, self.clock) = (number, keys, clock)
    (self.values, self.registry) = (values, registry)
    folder = try TemporaryFolder(isInMemory: true)
    stampClock = StampClock { clock.now }
    store = PreferencesStore(fileAt: folder.path(Self.storeFile))
    other = PreferencesStore(
      fileAt: folder.path(Self.storeFile), engine: PreferencesEngine(.system))
    try write(files)
    for store in [store, other] { store.setStampClock(stampClock) }
  }

  deinit { for synchronizer in synchronizers { synchronizer.cancel() } }

  var isRunning: Bool { !synchronizers.isEmpty }

  var faults: Set<UnreliableStore.Fault> {
    get { values.faults }
    set {
      values.faults = newValue
      registry.faults = newValue
    }
  }

  /// How many calls have changes that can still take place.
  var lateCount: Int { values.lateCount }

  func makeLateChanges() async throws {
    for store in [values, registry] { try await store.makeLateChanges() }
  }

  func dropLateChanges() {
    for store in [values, registry] { store.dropLateChanges() }
  }

  func value(_ key: String) -> String? {
    guard case .string(let text)? = store.plistValue(forKey: key) else { return nil }
    return text
  }

  /// - Returns: The time of the change, if the file has it.
  @discardableResult
  func set(
    _ value: String?, forKey key: String, inOtherProcess: Bool = false
  ) async throws -> TimeInterval? {
    let store = inOtherProcess ? other : store
    store.synchronize()
    store.put(value.map { .string($0) }, forKey: key)
    try await store.flush()
    let time = try store.stampedValues().stamps.stamp(forKey: key)?.time
    return time?.date.timeIntervalSinceReferenceDate
  }

  /// Changes a value in the file as a program without stamps does.
  ///
  /// - Parameter inPlace: Whether the file is overwritten, and not replaced.
  func rewrite(_ value: String?, forKey key: String, inPlace: Bool) async throws {
    try await store.flush()
    guard FileManager.default.fileExists(atPath: folder.path(Self.storeFile)) else { return }
    let name = inPlace ? Self.storeFile : "new.plist"
    if !inPlace { try folder.write(folder.data(Self.storeFile), to: name) }
    try folder.changePlist(name) { $0[key] = value.map { .string($0) } }
    if !inPlace { rename(folder.path(name), folder.path(Self.storeFile)) }
    store.synchronize()
  }

  // MARK: Processes

  /// Starts the synchronizers.
  ///
  /// - Parameter isAnew: Whether this is a new process.
  func start(_ keys: [String]? = nil, isAnew: Bool) async throws {
    if isRunning { return }
    if isAnew {
      try await store.flush()
      store = PreferencesStore(
        fileAt: folder.path(Self.storeFile), engine: PreferencesEngine(.system))
    }
    var options = PreferencesSynchronizer.Options()
    options.uploadInterval = .zero
    options.retryDelays = .milliseconds(1)...Duration.milliseconds(5)
    // Removals are collected after 20 seconds, once all machines have seen them.
    options.clockTolerance = .seconds(10)
    options.markInterval = .zero
    options.collectionInterval = .zero
    options.removalLifetime = .seconds(100_000_000)
    options.machineLifetime = .seconds(100_000_000)
    (removed, hasAllKeys) = ([], keys == nil)
    for file in Self.stateFiles.prefix(hasSecondSynchronizer ? 2 : 1) {
      let synchronizer = PreferencesSynchronizer(
        store: store, remote: values, registry: registry, stateFileAt: folder.path(file),
        options: options, now: { [clock] in clock.now })
      synchronizer.add(keys ?? self.keys)
      synchronizers.append(synchronizer)
    }
  }

  /// Ends the synchronizers, whatever they are doing.
  func stop() {
    for synchronizer in synchronizers { synchronizer.cancel() }
    synchronizers = []
    store.setStampClock(stampClock)
  }

  func wait() async throws {
    for synchronizer in synchronizers { try await synchronizer.waitForCompletion() }
    if isRunning && hasAllKeys { mayLackStamps = false }
  }

  func remove(_ key: String) {
    removed.insert(key)
    for synchronizer in synchronizers { synchronizer.remove([key]) }
  }

  func add(_ key: String) {
    removed.remove(key)
    for synchronizer in synchronizers { synchronizer.add([key]) }
  }

  // MARK: Files

  func copy() async throws -> Copy {
    try await store.flush()
    var copy: Copy = [:]
    for name in Self.stateFiles + [Self.storeFile] {
      copy[name] = .some(try? folder.data(name))
    }
    return copy
  }

  /// Replaces files. The state files may be replaced only while no synchronizer runs.
  func write(_ copy: Copy) throws {
    for (name, data) in copy {
      if name == Self.storeFile, Self.values(in: copy)[Stamps.key] == nil { mayLackStamps = true }
      if let data {
        try folder.write(data, to: name)
      } else if FileManager.default.fileExists(atPath: folder.path(name)) {
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
    }
    store.synchronize()
  }

  /// Damages the store's file, and starts with a new one.
  func recover() async throws {
    try folder.write("<plist>", to: Self.storeFile)
    store.synchronize()
    try await store.recover()
    mayLackStamps = true
  }

  /// What a copy of the store's file has.
  static func values(in copy: Copy) -> PlistDictionary {
    guard let data = copy[storeFile] ?? nil,
      case .dictionary(let values)? = try? Plist.read(data).value
    else { return [:] }
    return values
  }
}
