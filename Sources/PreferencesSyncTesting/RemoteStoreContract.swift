package import PreferencesSync

/// What synchronization asks of every remote store, to be checked with an empty one of each kind.
package struct RemoteStoreContract: Sendable {
  let store: any RemoteStore
  /// Makes the store unreachable, or reachable again.
  let setReachable: @Sendable (Bool) async throws -> Void

  package init(
    _ store: any RemoteStore, setReachable: @escaping @Sendable (Bool) async throws -> Void
  ) {
    self.store = store
    self.setReachable = setReachable
  }

  /// The clauses, each of which is checked by itself.
  package enum Clause: String, CaseIterable, Sendable {
    case empty = "There is nothing at first"
    case creation = "A put in the place of nothing creates an entry once"
    case replacement = "A put replaces the entry that it names, and no other"
    case refusal = "A put in the place of an entry that there is not is refused"
    case bytes = "Keys and bytes are kept exactly"
    case counting = "Of puts that compete for one entry one takes place"
    case past = "A stream begins with what was put after its revision"
    case future = "A stream goes on with what is put, in the order of revisions"
    case gap = "Between a snapshot and the stream from it nothing is missed and nothing told twice"
    case latest = "A stream tells of the last put to a key"
    case cancellation = "A stream ends with the task that listens"
    case loss = "Streams and calls fail while the store cannot be reached"
    case resumption = "A stream can be continued where it was lost"
  }

  /// Checks a clause.
  ///
  /// - Throws: A ``ContractViolation``, or what the store throws.
  package func check(_ clause: Clause) async throws {
    switch clause {
    case .empty: try await empty()
    case .creation: try await creation()
    case .replacement: try await replacement()
    case .refusal: try await refusal()
    case .bytes: try await bytes()
    case .counting: try await counting()
    case .past: try await past()
    case .future: try await future()
    case .gap: try await gap()
    case .latest: try await latest()
    case .cancellation: try await cancellation()
    case .loss: try await loss()
    case .resumption: try await resumption()
    }
  }
}
