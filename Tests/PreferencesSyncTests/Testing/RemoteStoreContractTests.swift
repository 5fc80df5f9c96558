import PreferencesSync
import PreferencesSyncTesting
import Testing

extension RemoteStoreContract.Clause: CustomTestStringConvertible {
  /// The sentence of the clause.
  public var testDescription: String { rawValue }
}

@Suite("The remote store in memory keeps the contract of remote stores")
struct RemoteStoreContractTests {
  @Test("Each clause", arguments: RemoteStoreContract.Clause.allCases)
  func clause(clause: RemoteStoreContract.Clause) async throws {
    let store = InMemoryRemoteStore()
    let contract = RemoteStoreContract(store) { store.isReachable = $0 }
    try await contract.check(clause)
  }
}
