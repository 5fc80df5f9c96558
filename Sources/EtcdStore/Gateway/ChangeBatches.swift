internal import FoundationEssentials
internal import PreferencesSync

/// Applies changes in transactions that each succeed if none of their changes conflicts.
///
/// A nested transaction for each change would take the same single round trip, but etcd would not
/// count it against the quota of its database.
struct ChangeBatches: Sendable {
  private let client: GatewayClient
  private let keys: KeySpace

  /// Less than the 128 parts that a cluster accepts by default.
  private static let largestCount = 100
  /// Less than the 1.5 MiB that a cluster accepts by default.
  private static let largestSize = 1 << 20

  init(_ client: GatewayClient, _ keys: KeySpace) {
    self.client = client
    self.keys = keys
  }

  func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
    var results: [RemoteChangeResult] = []
    var rest = changes[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.batchCount(rest))
      results += try await applyTogether(batch)
      rest = rest.dropFirst(batch.count)
    }
    return results
  }

  /// Applies all changes and one change to another part, or none of them.
  ///
  /// - Returns: Nil if the cluster does not accept that, because the request is too large, or because
  ///   the user may not write in one of the parts.
  func apply(
    _ changes: [RemoteChange], with other: RemoteChange, of part: KeySpace
  ) async throws -> [RemoteChangeResult]? {
    guard Self.batchCount(changes[...]) == changes.count else { return nil }
    let names = changes.map { keys.name(of: $0.key) } + [part.name(of: other.key)]
    do {
      return try await applyAll(changes + [other], names)
    } catch let error where Self.isTooLarge(error) || (error as? GatewayError)?.code == 7 {
      return nil
    }
  }

  /// The number of changes at the beginning that fit into one transaction, which changes each key
  /// once.
  private static func batchCount(_ changes: ArraySlice<RemoteChange>) -> Int {
    var size = 0
    var names = Set<[UInt8]>()
    for (count, change) in changes.prefix(largestCount).enumerated() {
      // The key is in the comparison and in both outcomes.
      size += (change.data?.count ?? 0) + 3 * change.key.utf8.count + 64
      if count > 0, size > largestSize { return count }
      if !names.insert(Array(change.key.utf8)).inserted { return count }
    }
    return min(changes.count, largestCount)
  }

  /// Applies changes to different keys in one transaction, or in several if some conflict or if one
  /// is too large for the cluster or for this client.
  private func applyTogether(
    _ changes: ArraySlice<RemoteChange>
  ) async throws -> [RemoteChangeResult] {
    let results: [RemoteChangeResult]
    do {
      results = try await applyAll(Array(changes), changes.map { keys.name(of: $0.key) })
    } catch let error where Self.isTooLarge(error) && changes.count > 1 {
      // Nothing has changed: only the entries of a conflict make a large answer.
      let half = changes.count / 2
      return try await applyTogether(changes.prefix(half))
        + applyTogether(changes.dropFirst(half))
    } catch let error as GatewayError where error.isTooLarge {
      return [.rejected(reason: "the cluster accepts no request of this size")]
    }
    /// Whether the change failed only because another change of the transaction failed.
    func isHeldUp(_ change: RemoteChange, _ result: RemoteChangeResult) -> Bool {
      guard case .conflict(let current) = result else { return false }
      return current?.revision ?? 0 == change.replacedRevision
    }
    let others = zip(changes, results).filter(isHeldUp).map(\.0)
    if others.isEmpty { return results }
    if others.count == changes.count { throw EtcdError(.notEtcd(status: 200)) }
    var rest = try await applyTogether(others[...])[...]
    return zip(changes, results).map { isHeldUp($0, $1) ? rest.removeFirst() : $1 }
  }

  private static func isTooLarge(_ error: any Error) -> Bool {
    switch error {
    case let error as GatewayError: error.isTooLarge
    case let error as EtcdError: if case .tooLarge = error.kind { true } else { false }
    default: false
    }
  }

  /// Applies changes to the entries with these names in one transaction. If any change conflicts,
  /// nothing changes, and the result of each change is a conflict with its current entry.
  private func applyAll(
    _ changes: [RemoteChange], _ names: [Data]
  ) async throws -> [RemoteChangeResult] {
    let named = zip(changes, names)
    let request = TransactionRequest(
      compare: named.map { change, name in
        .init(key: name, modRevision: GatewayNumber(change.replacedRevision))
      },
      success: named.map { change, name in
        change.data.map { .put(key: name, value: $0) } ?? .remove(key: name)
      },
      failure: names.map { .range(RangeRequest(key: $0)) })
    let answer: TransactionAnswer = try await client.call(
      .transaction, request, isRepeatable: false)
    guard let revision = answer.header?.revision?.value, let responses = answer.responses,
      responses.count == changes.count
    else { throw EtcdError(.notEtcd(status: 200)) }
    if answer.succeeded == true { return changes.map { _ in .stored(revision: revision) } }
    return try zip(changes, responses).map { change, response in
      guard let entry = response.responseRange?.kvs?.first else { return .conflict(current: nil) }
      guard let number = entry.modRevision?.value else { throw EtcdError(.notEtcd(status: 200)) }
      return .conflict(
        current: RemoteEntry(key: change.key, data: entry.value ?? Data(), revision: number))
    }
  }
}
