import FoundationEssentials
import PreferencesSync
import PreferencesSyncTesting
import Testing
import Threading

@Suite("The contract of remote stores", .timeLimit(.minutes(5)))
struct RemoteStoreContractTests {
  @Test(
    "The remote store in memory keeps each clause", arguments: RemoteStoreContract.Clause.allCases)
  func inMemory(clause: RemoteStoreContract.Clause) async throws {
    let contract = RemoteStoreContract {
      InMemoryRemoteStore()
    } setReachable: { store, isReachable in
      store.isReachable = isReachable
    }
    try await contract.check(clause)
  }

  @Test("So does a part of it", arguments: RemoteStoreContract.Clause.allCases)
  func partition(clause: RemoteStoreContract.Clause) async throws {
    let wholes = Lock<[InMemoryRemoteStore]>([])
    let contract = RemoteStoreContract {
      let whole = InMemoryRemoteStore()
      // Neighbors that do not belong to it.
      for key in ["a", "part", "part0", "q/k"] {
        _ = try await whole.put(Data(), forKey: key, replacing: 0)
      }
      wholes.withLock { $0.append(whole) }
      return PartOfRemoteStore(store: whole.partition("part/"))
    } setReachable: { _, isReachable in
      wholes.withLock { $0 }.last?.isReachable = isReachable
    }
    try await contract.check(clause)
  }

  /// A part of a remote store, as a separate type.
  private struct PartOfRemoteStore: RemoteStore {
    let store: any RemoteStore

    func entries() async throws -> RemoteSnapshot { try await store.entries() }

    func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
      try await store.apply(changes)
    }

    func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
      store.changes(after: revision)
    }

    var latestContact: RemoteContact? { store.latestContact }
  }

  @Test("The parts of a domain have names without slashes")
  func domains() async throws {
    let store = InMemoryRemoteStore()
    for domain in ["org.example.player", "/a/b%.plist"] {
      _ = try await store.values(ofDomain: domain).put(Data(), forKey: "k", replacing: 0)
      _ = try await store.registry(ofDomain: domain).put(Data(), forKey: "m", replacing: 0)
    }
    #expect(
      try await store.entries().entries.map(\.key).sorted() == [
        "domains/%2Fa%2Fb%25.plist/k", "domains/org.example.player/k",
        "registry/%2Fa%2Fb%25.plist/m", "registry/org.example.player/m",
      ])
  }

  /// A remote store that violates the contract.
  private struct FaultyRemoteStore: RemoteStore {
    enum Fault: Sendable {
      case isNotEmpty, ignoresRevisions, hidesCurrentEntry, mergesKeys, endsStreams, repeatsEntries
      case ignoresReachability, keepsEntries, stopsBatches, keepsContact
    }

    let fault: Fault
    let store = InMemoryRemoteStore()
    private let start = ContinuousClock.now

    init(fault: Fault) { self.fault = fault }

    var latestContact: RemoteContact? {
      fault == .keepsContact ? RemoteContact(endpoint: nil, date: nil, instant: start) : nil
    }

    func entries() async throws -> RemoteSnapshot {
      switch fault {
      case .isNotEmpty:
        return RemoteSnapshot(
          entries: [RemoteEntry(key: "k", data: Data(), revision: 1)], revision: 1)
      case .ignoresReachability: return RemoteSnapshot(entries: [], revision: 0)
      default: return try await store.entries()
      }
    }

    func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
      var results: [RemoteChangeResult] = []
      for var change in changes {
        switch fault {
        case .mergesKeys: change.key = change.key.lowercased().filter { $0 != "/" }
        case .keepsEntries where change.data == nil:
          results.append(.stored(revision: change.replacedRevision + 1))
          continue
        case .stopsBatches where results.contains { if case .conflict = $0 { true } else { false } }:
          results.append(.rejected(reason: "an earlier change conflicted"))
          continue
        default: break
        }
        var result = try await store.apply([change])[0]
        if case .conflict(let current?) = result {
          if fault == .ignoresRevisions {
            change.replacedRevision = current.revision
            result = try await store.apply([change])[0]
          }
          if fault == .hidesCurrentEntry { result = .conflict(current: nil) }
        }
        results.append(result)
      }
      return results
    }

    func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
      switch fault {
      case .endsStreams: AsyncThrowingStream { nil }
      case .repeatsEntries: store.changes(after: 0)
      default: store.changes(after: revision)
      }
    }
  }

  @Test(
    "A violation is found and described",
    arguments: [
      (
        .isNotEmpty, .startsEmpty,
        """
        violation of "A new store is empty": entries: \
        \([RemoteEntry(key: "k", data: Data(), revision: 1)]); expected []
        """
      ),
      (
        .ignoresRevisions, .creation,
        """
        violation of "A put with revision 0 creates an entry once": second creation: \
        \(RemoteChangeResult.stored(revision: 2)); expected \
        \(RemoteChangeResult.conflict(
          current: RemoteEntry(key: "k", data: Data("1".utf8), revision: 1)))
        """
      ),
      (
        .hidesCurrentEntry, .conflict,
        """
        violation of "A put whose revision matches no current entry conflicts": replacement of \
        revision 1: \(RemoteChangeResult.conflict(current: nil)); expected \
        \(RemoteChangeResult.conflict(
          current: RemoteEntry(key: "k", data: Data("2".utf8), revision: 2)))
        """
      ),
      (
        .mergesKeys, .exactBytes,
        """
        violation of "Keys and data are kept byte for byte": the store takes the key / for another \
        one
        """
      ),
      (
        .endsStreams, .pastChanges,
        """
        violation of "A stream starts with the puts after its revision": the stream ended after 0 \
        entries without an error
        """
      ),
      (
        .repeatsEntries, .latestChange,
        """
        violation of "A stream delivers the last put to a key": revision 1 of an update; expected \
        one greater than 1
        """
      ),
      (
        .keepsEntries, .removal,
        """
        violation of "A removal removes the entry whose revision it names and no other": removal \
        of another revision: \(RemoteChangeResult.stored(revision: 2)); expected \
        \(RemoteChangeResult.conflict(
          current: RemoteEntry(key: "k", data: Data("1".utf8), revision: 2)))
        """
      ),
      (
        .stopsBatches, .batch,
        """
        violation of "Changes of a batch are made in order, each regardless of the \
        others": results \([
          RemoteChangeResult.stored(revision: 4), .stored(revision: 5),
          .conflict(current: RemoteEntry(key: "third", data: Data("1".utf8), revision: 3)),
          .rejected(reason: "an earlier change conflicted"),
          .rejected(reason: "an earlier change conflicted"),
          .rejected(reason: "an earlier change conflicted"),
          .rejected(reason: "an earlier change conflicted"),
        ]); expected the others to be stored
        """
      ),
      (
        .keepsContact, .contact,
        """
        violation of "The latest contact is not older than the last call": the contact is older \
        than the first call
        """
      ),
      (
        .ignoresReachability, .unreachability,
        """
        violation of "Calls and streams throw while the store is unreachable": entries() did not \
        throw
        """
      ),
    ] as [(FaultyRemoteStore.Fault, RemoteStoreContract.Clause, String)])
  private func violation(
    fault: FaultyRemoteStore.Fault, clause: RemoteStoreContract.Clause, text: String
  ) async throws {
    let contract = RemoteStoreContract {
      FaultyRemoteStore(fault: fault)
    } setReachable: { store, isReachable in
      store.store.isReachable = isReachable
    }
    let violation = await #expect(throws: RemoteStoreContract.Violation.self) {
      try await contract.check(clause)
    }
    #expect(violation?.clause == clause)
    #expect(violation?.description == text)
  }
}
