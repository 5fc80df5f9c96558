import Foundation
import PropertyList
import TestSupport

import Threading
@testable import Preferences

/// Where the domains of a store are.
enum Backing: String, CaseIterable, Sendable {
  case files, memory
}

/// Stores on a folder of their own, which is removed with the object, or in memory.
final class StoreFixture: Sendable {
  static let domain = "org.example.app"

  let folder: TemporaryFolder
  let locations: DomainLocations
  /// The store that most tests need no other beside.
  let store: PreferencesStore

  init(
    _ backing: Backing = .files, domain: String = StoreFixture.domain, format: PlistFormat? = nil
  ) throws {
    folder = try TemporaryFolder()
    locations = DomainLocations(within: folder.path)
    switch backing {
    case .files: store = try Self.store(domain, in: locations, format: format)
    case .memory: store = .inMemory()
    }
  }

  deinit {
    // The background shall find nothing to save when the folder has gone.
    _ = try? store.flush()
  }

  /// Another store on the same folder, which has to be flushed where it is changed.
  func store(
    _ domain: String = StoreFixture.domain, format: PlistFormat? = nil, arguments: [String] = []
  ) throws -> PreferencesStore {
    try Self.store(domain, in: locations, format: format, arguments: arguments)
  }

  private static func store(
    _ domain: String, in locations: DomainLocations, format: PlistFormat? = nil,
    arguments: [String] = []
  ) throws -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.locations = locations
    options.arguments = ["program"] + arguments
    options.usesPrivateRegistrationDomain = true
    options.format = format
    return try PreferencesStore(domain: domain, options: options)
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.path(name) }

  /// Puts a property list in the folder.
  func write(_ values: PlistDictionary, to name: String, as format: PlistFormat = .xml) throws {
    let path = path(name)
    try FileManager.default.createDirectory(
      atPath: String(path[..<path.lastIndex(of: "/")!]), withIntermediateDirectories: true)
    try folder.write(try Plist.write(.dictionary(values), as: format), to: name)
  }

  /// What a property list in the folder says, as another process would read it.
  func read(_ name: String = "user/\(domain).plist") throws -> PlistDocument {
    try Plist.read(try folder.data(name))
  }
}

extension SearchList.Entry {
  /// Changes what a layer holds, and saves it.
  func set(_ value: PlistValue?, forKey key: String) throws {
    switch source {
    case .file(let file):
      file.set(value, forKey: key)
      try file.save()
    case .volatile(let domain):
      var all = domain.all
      all[key] = value
      domain.replaceAll(with: all)
    }
  }
}

extension DomainFile {
  /// Saves what there is to save.
  func save() throws {
    var delivery = Delivery()
    try commit(&delivery)
    delivery.deliver()
  }

  /// Looks for what other processes have saved.
  func look() {
    var delivery = Delivery()
    reload(&delivery)
    delivery.deliver()
  }
}

// MARK: Observing

extension PreferencesChange {
  /// The change of the key that most tests use.
  init(_ old: PlistValue?, _ new: PlistValue?, of key: String = "k") {
    self.init(key: key, oldValue: old, newValue: new)
  }
}

/// What an observer has heard of, until it is released or canceled.
final class Heard: Sendable {
  private let changes = Lock<[PreferencesChange]>([])
  private let token = Lock<PreferencesObservation?>(nil)

  private init() {}

  /// Hears of changes of a key.
  ///
  /// - Parameter body: What else to do with each.
  convenience init(
    _ store: PreferencesStore, _ key: String = "k", initial: Bool = false,
    _ body: @escaping @Sendable (Heard, PreferencesChange) -> Void = { _, _ in }
  ) {
    self.init()
    keep(store.observe(key, initial: initial) { [weak self] in self?.hear($0, body) })
  }

  /// Hears of changes of keys.
  convenience init(_ store: PreferencesStore, keys: [String], initial: Bool = false) {
    self.init()
    keep(store.observe(keys, initial: initial) { [weak self] in self?.hear($0) { _, _ in } })
  }

  /// Hears of changes of all keys.
  convenience init(allOf store: PreferencesStore) {
    self.init()
    keep(store.observeAll { [weak self] in self?.hear($0) { _, _ in } })
  }

  private func hear(
    _ change: PreferencesChange, _ body: (Heard, PreferencesChange) -> Void
  ) {
    changes.withLock { $0.append(change) }
    body(self, change)
  }

  private func keep(_ new: PreferencesObservation) { token.withLock { $0 = new } }

  func cancel() { token.withLock { $0 }?.cancel() }

  /// All that it has heard and that was not taken.
  var all: [PreferencesChange] { changes.withLock { $0 } }

  /// What it has heard since the last call.
  func take() -> [PreferencesChange] { changes.withLock { exchange(&$0, with: []) } }

  /// The last value that it has heard of.
  var last: PlistValue? { all.last?.newValue }
}

extension [PreferencesChange] {
  /// Whether each begins with the value with which the one before it ended, from a first value on.
  func isChain(from first: PlistValue? = nil) -> Bool {
    var last = first
    for change in self {
      if change.oldValue != last { return false }
      last = change.newValue
    }
    return true
  }
}

// MARK: Waiting

/// A moment for which threads wait.
final class Moment: Sendable {
  private let hasCome = Lock(false)

  func come() { hasCome.withLock { $0 = true } }

  var isThere: Bool { hasCome.withLock { $0 } }

  /// Waits on this thread, for longer than any test does.
  ///
  /// - Returns: Whether the moment has come, which it has not after a long time.
  @discardableResult
  func wait() -> Bool {
    let deadline = ContinuousClock.now + patience * 2
    while !isThere, ContinuousClock.now < deadline { Duration.milliseconds(1).sleep() }
    return isThere
  }
}

/// Does something on a thread of its own.
///
/// - Parameter stackSize: The size of its stack.
/// - Returns: The moment in which it is done.
@discardableResult
func onThread(stackSize: Int = 4 << 20, _ body: @escaping @Sendable () -> Void) -> Moment {
  let end = Moment()
  let thread = Thread {
    body()
    end.come()
  }
  thread.stackSize = stackSize
  thread.start()
  return end
}
