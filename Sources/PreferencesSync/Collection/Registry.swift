internal import FoundationEssentials

/// The registry of the machines that share a remote store: a remote store of its own, so that those
/// who watch values are not woken by it.
struct Registry: Sendable {
  private let store: any RemoteStore

  private static let machinePrefix = "machine/"
  private static let collectedKey = "collected"

  init(_ store: any RemoteStore) { self.store = store }

  /// The marker of collected removals, with the revision of its entry; 0 for none.
  struct Collected: Sendable {
    var removals: CollectedRemovals?
    var revision: Int64
  }

  // MARK: Collected removals

  /// Reads what is known of collected removals.
  func collected() async throws -> Collected {
    guard let entry = try await store.entry(forKey: Self.collectedKey, at: nil) else {
      return Collected(removals: nil, revision: 0)
    }
    guard let removals = CollectedRemovals(entry.data) else {
      throw RegistryError(key: Self.collectedKey)
    }
    return Collected(removals: removals, revision: entry.revision)
  }

  /// Replaces what is known of collected removals.
  ///
  /// - Returns: The new revision; nil if another machine has replaced it since.
  func replace(_ old: Collected, with new: CollectedRemovals) async throws -> Int64? {
    guard let data = new.data else { throw RegistryError(key: Self.collectedKey) }
    let result = try await store.put(data, forKey: Self.collectedKey, replacing: old.revision)
    if case .stored(let revision) = result { return revision }
    return nil
  }

  // MARK: Machines

  /// Notes up to which revision a machine has seen all changes.
  func put(_ mark: MachineMark, ofMachine origin: String) async throws {
    let key = Self.machinePrefix + origin
    guard let data = mark.data else { throw RegistryError(key: key) }
    var revision: Int64 = 0
    // The first attempt tells the revision of the present mark. No other machine replaces it, except to
    // drop it.
    for _ in 0..<3 {
      switch try await store.put(data, forKey: key, replacing: revision) {
      case .stored: return
      case .conflict(let current): revision = current?.revision ?? 0
      case .rejected: throw RegistryError(key: key)
      }
    }
    throw RemoteStoreError.inconsistent(key: key)
  }

  /// Reads the marks of all machines. Other entries are ignored.
  func marks() async throws -> [(entry: RemoteEntry, mark: MachineMark)] {
    try await store.entries().entries.compactMap { entry in
      guard entry.key.hasPrefix(Self.machinePrefix) else { return nil }
      return MachineMark(entry.data).map { (entry: entry, mark: $0) }
    }
  }

  /// Removes marks, unless their machines have replaced them.
  func remove(_ entries: [RemoteEntry]) async throws {
    if entries.isEmpty { return }
    _ = try await store.apply(
      entries.map { RemoteChange(key: $0.key, data: nil, replacing: $0.revision) })
  }
}

/// An entry of the registry that is invalid.
struct RegistryError: Error, Sendable, CustomStringConvertible {
  let key: String

  var description: String {
    "the registry of machines holds an invalid entry \(key); expected one of a synchronizer"
  }
}
