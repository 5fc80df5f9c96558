internal import FoundationEssentials
internal import PropertyList

/// The registry of the machines that share a remote store. It is a separate remote store, so that
/// writing to it does not wake the machines that watch values.
struct Registry: Sendable {
  let store: any RemoteStore

  private static let machinePrefix = "machine/"
  private static let collectedKey = "collected"

  init(_ store: any RemoteStore) { self.store = store }

  /// The marker of collected removals, with the revision of its entry; 0 for none.
  typealias Collected = (removals: CollectedRemovals?, revision: Int64)

  // MARK: Collected removals

  /// Reads the record of collected removals.
  func collected() async throws -> Collected {
    guard let entry = try await store.entry(forKey: Self.collectedKey, at: nil) else {
      return (nil, 0)
    }
    guard let removals: CollectedRemovals = RegistryCoding.value(entry.data),
      removals.last == nil || removals.time != nil
    else { throw RegistryError(key: Self.collectedKey) }
    return (removals, entry.revision)
  }

  /// Replaces the record of collected removals.
  ///
  /// - Returns: The new revision; nil if another machine has replaced it since.
  func replace(_ old: Collected, with new: CollectedRemovals) async throws -> Int64? {
    let result = try await store.put(
      RegistryCoding.data(new), forKey: Self.collectedKey, replacing: old.revision)
    if case .stored(let revision) = result { return revision }
    return nil
  }

  // MARK: Machines

  static func key(ofMachine origin: String) -> String { machinePrefix + origin }

  /// Reads the mark of a machine, and the revision of its entry; 0 for none.
  func mark(ofMachine origin: String) async throws -> (mark: MachineMark?, revision: Int64) {
    let entry = try await store.entry(forKey: Self.key(ofMachine: origin), at: nil)
    return (entry.flatMap { RegistryCoding.value($0.data) }, entry?.revision ?? 0)
  }

  /// Reads the marks of all machines. Other entries are ignored.
  func marks() async throws -> [(entry: RemoteEntry, mark: MachineMark)] {
    try await store.entries().entries.compactMap { entry in
      guard entry.key.hasPrefix(Self.machinePrefix) else { return nil }
      return RegistryCoding.value(entry.data).map { (entry: entry, mark: $0) }
    }
  }
}

extension RemoteStore {
  /// Removes entries, unless they have been replaced.
  func remove(_ entries: [RemoteEntry]) async throws {
    if entries.isEmpty { return }
    _ = try await apply(
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

/// The encoding of a registry's entries: dictionaries as binary property lists.
enum RegistryCoding {
  private static let limits: PlistLimits = {
    var limits = PlistLimits()
    limits.maximumSize = 4096
    limits.maximumNodeCount = 100
    return limits
  }()

  /// Nil if the data is invalid.
  static func value<Value: Decodable>(_ data: Data) -> Value? {
    var options = PlistReadOptions()
    options.limits = limits
    guard let content = try? Plist.read(data, as: .binary, options: options).value else {
      return nil
    }
    return try? PlistDecoder().decode(Value.self, from: content)
  }

  static func data(_ value: some Encodable) throws -> Data { try PlistEncoder().encode(value) }
}
