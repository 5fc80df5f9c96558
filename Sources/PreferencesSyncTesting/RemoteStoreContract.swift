public import PreferencesSync

/// The contract of remote stores: what synchronization requires of every `RemoteStore`, as clauses
/// that tests of an implementation check one by one.
///
/// ```swift
/// import PreferencesSyncTesting
/// import Testing
///
/// let contract = RemoteStoreContract {
///   MyRemoteStore()
/// } setReachable: { store, isReachable in
///   await store.setReachable(isReachable)
/// }
///
/// @Test(.timeLimit(.minutes(1)), arguments: RemoteStoreContract.Clause.allCases)
/// func contract(clause: RemoteStoreContract.Clause) async throws {
///   try await contract.check(clause)
/// }
/// ```
///
/// With XCTest, a test method checks the clauses in a loop. A store that never delivers an expected
/// change lets its check wait forever, so tests need a time limit.
public struct RemoteStoreContract: Sendable {
  private let makeCheck: @Sendable (Clause) async throws -> ContractCheck

  /// Creates the contract for a kind of store.
  ///
  /// - Parameters:
  ///   - makeStore: Creates an empty store, which can be reached. It is called once for each check.
  ///   - setReachable: Makes a store unreachable, so that its calls and streams fail, or reachable
  ///     again.
  public init<Store: RemoteStore>(
    makeStore: @escaping @Sendable () async throws -> Store,
    setReachable: @escaping @Sendable (_ store: Store, _ isReachable: Bool) async throws -> Void
  ) {
    makeCheck = { clause in
      let store = try await makeStore()
      return ContractCheck(clause: clause, store: store) { try await setReachable(store, $0) }
    }
  }

  /// A clause of the contract; each is checked with a new store.
  public enum Clause: String, CaseIterable, Sendable, CustomStringConvertible {
    /// A new store has no entries.
    case startsEmpty = "A new store is empty"
    /// A put with revision 0 creates an entry, and conflicts if there is one.
    case creation = "A put with revision 0 creates an entry once"
    /// A put with the revision of the current entry replaces it.
    case replacement = "A put replaces the entry whose revision it names and no other"
    /// A put with any other revision conflicts, reports the current entry and changes nothing.
    case conflict = "A put whose revision matches no current entry conflicts"
    /// A removal with the revision of the current entry removes it, and any other conflicts.
    case removal = "A removal removes the entry whose revision it names and no other"
    /// Each change of a batch takes place or conflicts separately, one after the other.
    case batch = "Changes of a batch are made in order, each regardless of the others"
    /// A batch of a thousand changes is stored, and delivered by snapshots and streams.
    case largeBatch = "A batch may have a thousand changes"
    /// In a store that can change another part in the same transaction, either all changes are made
    /// or none.
    case transaction = "Changes with one of another part are all made, or none of them"
    /// Keys and data of any bytes are kept unchanged.
    case exactBytes = "Keys and data are kept byte for byte"
    /// Exactly one of several concurrent puts with the same revision is stored.
    case concurrentPuts = "Of concurrent puts for one revision, exactly one is stored"
    /// A stream starts with the entries put after its revision.
    case pastChanges = "A stream starts with the puts after its revision"
    /// A stream continues with entries as they are put.
    case liveChanges = "A stream continues with new puts in the order of revisions"
    /// A snapshot and the stream from its revision together contain every put once.
    case continuity = "A snapshot and the stream after it miss and repeat nothing"
    /// A stream delivers the last put to a key, whether or not it skips earlier ones.
    case latestChange = "A stream delivers the last put to a key"
    /// A stream delivers removals.
    case removedChange = "A stream delivers the removal of an entry"
    /// In a store that knows its latest contact, this is the contact of the last call.
    case contact = "The latest contact is not older than the last call"
    /// A stream ends when the task that iterates it is canceled.
    case cancellation = "A stream ends when its task is canceled"
    /// Calls and streams throw while the store is unreachable, and puts that failed are not stored.
    case unreachability = "Calls and streams throw while the store is unreachable"
    /// A stream can be resumed from the revision of the last update received.
    case resumption = "A stream can be resumed after a lost connection"

    /// The clause as a sentence.
    public var description: String { rawValue }
  }

  /// Checks a clause with a new store.
  ///
  /// - Throws: ``Violation``, or the error of a call to the store that should have succeeded.
  public func check(_ clause: Clause) async throws {
    let check = try await makeCheck(clause)
    switch clause {
    case .startsEmpty: try await check.startsEmpty()
    case .creation: try await check.creation()
    case .replacement: try await check.replacement()
    case .conflict: try await check.conflict()
    case .removal: try await check.removal()
    case .batch: try await check.batch()
    case .largeBatch: try await check.largeBatch()
    case .transaction: try await check.transaction()
    case .exactBytes: try await check.exactBytes()
    case .concurrentPuts: try await check.concurrentPuts()
    case .pastChanges: try await check.pastChanges()
    case .liveChanges: try await check.liveChanges()
    case .continuity: try await check.continuity()
    case .latestChange: try await check.latestChange()
    case .removedChange: try await check.removedChange()
    case .contact: try await check.contact()
    case .cancellation: try await check.cancellation()
    case .unreachability: try await check.unreachability()
    case .resumption: try await check.resumption()
    }
  }
}

extension RemoteStoreContract {
  /// A violation of the contract by the store under test.
  public struct Violation: Error, Sendable, CustomStringConvertible {
    /// The violated clause.
    public let clause: Clause
    /// One line of text: the clause, what the store did, and what was expected.
    public let description: String

    init(_ clause: Clause, _ reason: String) {
      self.clause = clause
      description = "violation of \"\(clause)\": \(reason)"
    }
  }
}
