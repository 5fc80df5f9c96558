#if canImport(PreferencesSyncTesting)
  import PreferencesSyncTesting
  import XCTest

  @testable import SyncClient

  /// The contract checked with XCTest.
  final class RemoteStoreCases: XCTestCase {
    func testContract() async throws {
      let contract = RemoteStoreContract {
        DictionaryRemoteStore()
      } setReachable: { store, isReachable in
        await store.setReachable(isReachable)
      }
      for clause in RemoteStoreContract.Clause.allCases { try await contract.check(clause) }
    }
  }
#endif
