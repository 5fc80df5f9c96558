internal import FoundationEssentials
internal import Preferences
public import PropertyList

/// The administrator's side of managed preferences: publishes them in a remote store. Each
/// machine's ``ManagedPreferencesReplica`` reads them there.
public enum ManagedPreferences {
  /// The changes that publishing a domain has made in the remote store.
  public struct Changes: Sendable, Hashable {
    /// The new keys, sorted.
    public var added: [String] = []
    /// The keys whose value was different or unreadable, sorted.
    public var changed: [String] = []
    /// The keys that were removed, sorted.
    public var removed: [String] = []
    /// The number of keys that had the same value.
    public var unchangedCount = 0

    /// Whether nothing has changed.
    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    /// Creates an empty set of changes.
    public init() {}
  }

  /// Makes the managed keys of a domain in a remote store match a dictionary: keys are added,
  /// changed and removed with one call of `RemoteStore.apply(_:)`.
  ///
  /// Equal values are not written again, so repeating the call after an error completes it. Other
  /// domains are not affected. A replica of a store on etcd sees the changes of up to a hundred
  /// keys at once.
  ///
  /// - Parameters:
  ///   - values: All managed values of the domain; an empty dictionary removes them.
  ///   - domain: The name of the domain.
  ///   - remote: The remote store of managed preferences, with permission to write.
  ///   - limits: The limits of the replicas.
  /// - Returns: The changes.
  /// - Throws: ``ManagedPreferencesError``. If it is about the domain or its values as a whole,
  ///   nothing has been published. After a conflict, a rejected value or a failure of the remote
  ///   store, some keys may have been published.
  @discardableResult
  public static func publish(
    _ values: PlistDictionary, domain: String, to remote: any RemoteStore,
    limits: ManagedPreferencesLimits = ManagedPreferencesLimits()
  ) async throws(ManagedPreferencesError) -> Changes {
    try ManagedKey.checkDomain(domain)
    _ = try ManagedContents.encode(values, domain: domain, limits)
    let present: [ByteKey: RemoteEntry]
    do {
      present = try await entries(ofDomain: domain, in: remote)
    } catch {
      throw .remote(error)
    }
    var result = Changes()
    var batch: [RemoteChange] = []
    let date = Date.now
    for (key, value) in values {
      let entry = present[ByteKey(key)]
      if let entry, let old = try? SyncRecord(entry.data), old.value == value {
        result.unchangedCount += 1
        continue
      }
      let record: SyncRecord
      do throws(SyncRecordError) {
        record = try SyncRecord(date: date, value: value)
      } catch {
        throw .invalidRecord(domain: domain, key: key, error)
      }
      if entry == nil { result.added.append(key) } else { result.changed.append(key) }
      batch.append(
        RemoteChange(
          key: ManagedKey(domain: domain, key: key).name, data: record.data,
          replacing: entry?.revision ?? 0))
    }
    for (key, entry) in present where values[key.text] == nil {
      result.removed.append(key.text)
      batch.append(RemoteChange(key: entry.key, data: nil, replacing: entry.revision))
    }
    try await apply(batch, domain: domain, to: remote)
    result.added.sort()
    result.changed.sort()
    result.removed.sort()
    return result
  }

  /// The entries of a domain by key.
  private static func entries(
    ofDomain domain: String, in remote: any RemoteStore
  ) async throws -> [ByteKey: RemoteEntry] {
    var result: [ByteKey: RemoteEntry] = [:]
    for entry in try await remote.entries().entries {
      guard let name = ManagedKey(entry.key), ByteKey(name.domain) == ByteKey(domain) else {
        continue
      }
      result[ByteKey(name.key)] = entry
    }
    return result
  }

  private static func apply(
    _ batch: [RemoteChange], domain: String, to remote: any RemoteStore
  ) async throws(ManagedPreferencesError) {
    if batch.isEmpty { return }
    let results: [RemoteChangeResult]
    do {
      results = try await remote.apply(batch)
    } catch {
      throw .remote(error)
    }
    guard results.count == batch.count else {
      throw .remote(RemoteStoreError.inconsistent(key: batch[0].key))
    }
    for (change, result) in zip(batch, results) {
      let key = ManagedKey(change.key)?.key ?? change.key
      switch result {
      case .stored: break
      // A member that became unreachable may already have made the change.
      case .conflict(let current) where current?.data == change.data: break
      case .conflict: throw .conflict(domain: domain, key: key)
      case .rejected(let reason):
        throw .rejectedValue(domain: domain, key: key, reason: reason)
      }
    }
  }
}
