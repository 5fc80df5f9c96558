internal import FoundationEssentials
internal import PreferencesSync

/// Applies changes in transactions, each of which takes place if none of its changes conflicts.
///
/// A transaction for each change within a larger one would take one round trip in any case, but etcd
/// would not count it against the quota of its database.
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

  /// Applies changes of different keys in one transaction, or in several if some conflict or the
  /// cluster accepts or this client reads less.
  private func applyTogether(
    _ changes: ArraySlice<RemoteChange>
  ) async throws -> [RemoteChangeResult] {
    let answer: TransactionAnswer
    do {
      answer = try await call(changes)
    } catch let error where Self.isTooLarge(error) && changes.count > 1 {
      // Nothing has changed: only the entries of a conflict make a large answer.
      let half = changes.count / 2
      return try await applyTogether(changes.prefix(half))
        + applyTogether(changes.dropFirst(half))
    } catch let error as GatewayError where error.isTooLarge {
      return [.rejected(reason: "the cluster accepts no request of this size")]
    }
    let (revision, responses) = try Self.parts(of: answer, count: changes.count)
    if answer.succeeded == true {
      return changes.map { _ in .stored(revision: revision) }
    }
    let conflicts = try zip(changes, responses).map { change, response in
      try Self.conflict(of: change, response.range?.entries?.first)
    }
    let others = zip(changes, conflicts).filter { $1 == nil }.map(\.0)
    if others.count == changes.count { throw EtcdError(.notEtcd(status: 200)) }
    var rest = others.isEmpty ? [] : try await applyTogether(others[...])[...]
    return conflicts.map { $0 ?? rest.removeFirst() }
  }

  private static func isTooLarge(_ error: any Error) -> Bool {
    switch error {
    case let error as GatewayError: error.isTooLarge
    case let error as EtcdError: if case .tooLarge = error.kind { true } else { false }
    default: false
    }
  }

  /// The result of a change over another entry than the one that it was to replace; nil if it is that
  /// one.
  private static func conflict(
    of change: RemoteChange, _ entry: KeyValue?
  ) throws(EtcdError) -> RemoteChangeResult? {
    guard let entry else { return change.replacedRevision == 0 ? nil : .conflict(current: nil) }
    guard let number = entry.revision?.value else { throw EtcdError(.notEtcd(status: 200)) }
    if number == change.replacedRevision { return nil }
    return .conflict(
      current: RemoteEntry(key: change.key, data: entry.value ?? Data(), revision: number))
  }

  private func call(_ changes: ArraySlice<RemoteChange>) async throws -> TransactionAnswer {
    let named = changes.map { (change: $0, name: keys.name(of: $0.key)) }
    let request = TransactionRequest(
      compare: named.map { change, name in
        .init(key: name, revision: GatewayNumber(change.replacedRevision))
      },
      success: named.map { change, name in
        change.data.map { .put(key: name, value: $0) } ?? .remove(key: name)
      },
      failure: named.map { .range(RangeRequest(key: $1)) })
    return try await client.call(.transaction, request, isRepeatable: false)
  }

  private static func parts(
    of answer: TransactionAnswer, count: Int
  ) throws(EtcdError) -> (Int64, [TransactionAnswer.Response]) {
    guard let revision = answer.header?.revision?.value, let responses = answer.responses,
      responses.count == count
    else { throw EtcdError(.notEtcd(status: 200)) }
    return (revision, responses)
  }
}
