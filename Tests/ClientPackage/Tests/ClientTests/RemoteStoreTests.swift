#if canImport(PreferencesSyncTesting)
  import PreferencesSyncTesting
  import Testing

  @testable import SyncClient

  @Suite("A remote store of another package", .timeLimit(.minutes(5)))
  struct RemoteStoreTests {
    @Test("It keeps each clause of the contract", arguments: RemoteStoreContract.Clause.allCases)
    func contract(clause: RemoteStoreContract.Clause) async throws {
      let contract = RemoteStoreContract {
        DictionaryRemoteStore()
      } setReachable: { store, isReachable in
        await store.setReachable(isReachable)
      }
      try await contract.check(clause)
    }
  }
#endif
