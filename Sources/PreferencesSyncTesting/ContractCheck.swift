import FoundationEssentials
import PreferencesSync

/// A check of one clause of the contract with one store.
struct ContractCheck: Sendable {
  let clause: RemoteStoreContract.Clause
  let store: any RemoteStore
  let setReachable: @Sendable (Bool) async throws -> Void

  func violation(_ reason: String) -> RemoteStoreContract.Violation {
    RemoteStoreContract.Violation(clause, reason)
  }

  /// Throws a violation if a condition does not hold.
  func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
    if !condition { throw violation(reason()) }
  }

  /// Throws a violation if a value is not the expected one.
  ///
  /// - Parameter subject: The name of the value, for the text of the violation.
  func require<Value: Equatable>(
    _ value: Value, is expected: Value, _ subject: String
  ) throws {
    try require(value == expected, "\(subject): \(value); expected \(expected)")
  }

  /// Throws a violation unless an operation fails.
  func requireFailure(of operation: String, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let violation as RemoteStoreContract.Violation {
      throw violation
    } catch {
      return
    }
    throw violation("\(operation) did not throw")
  }

  /// Puts data that must be stored, and returns the entry.
  @discardableResult
  func put(
    _ text: String, forKey key: String, replacing revision: Int64 = 0
  ) async throws -> RemoteEntry {
    let data = Data(text.utf8)
    let result = try await store.put(data, forKey: key, replacing: revision)
    guard case .stored(let new) = result else {
      throw violation(
        "put for key \(key) replacing revision \(revision): \(result); expected stored")
    }
    try require(
      new > max(revision, 0), "revision \(new); expected one greater than \(max(revision, 0))")
    return RemoteEntry(key: key, data: data, revision: new)
  }

  /// Returns all entries in the order of the bytes of their keys.
  func sortedEntries() async throws -> [RemoteEntry] {
    try await store.entries().entries.sorted {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
  }

  /// Returns the first entries of a stream.
  func changes(after revision: Int64, count: Int) async throws -> [RemoteEntry] {
    var entries: [RemoteEntry] = []
    if count == 0 { return [] }
    try await updates(after: revision) { update in
      entries += update.entries
      return entries.count < count
    }
    return entries
  }

  /// Calls a closure with each update of a stream until it returns false.
  func updates(
    after revision: Int64, _ body: (RemoteUpdate) async throws -> Bool
  ) async throws {
    var last = revision
    var count = 0
    for try await update in store.changes(after: revision) {
      try require(
        update.revision > last,
        "revision \(update.revision) of an update; expected one greater than \(last)")
      let revisions = update.entries.map(\.revision)
      try require(
        revisions == revisions.sorted()
          && revisions.allSatisfy { last < $0 && $0 <= update.revision },
        """
        revisions \(revisions) of entries; expected ascending ones greater than \(last) and not \
        greater than \(update.revision)
        """)
      last = update.revision
      count += update.entries.count
      if try await !body(update) { return }
    }
    throw violation("the stream ended after \(count) entries without an error")
  }
}
