#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import PreferencesSyncTesting
  import TestSupport
  import Testing

  @Suite("The contract of remote stores, with etcd", .timeLimit(.minutes(10)), .serialized)
  struct EtcdContractTests {
    /// A store whose connection can be cut.
    private struct ProxiedStore: PartitionedRemoteStore {
      let store: EtcdStore
      let proxy: TestProxy

      func entries() async throws -> RemoteSnapshot { try await store.entries() }

      func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
        try await store.apply(changes)
      }

      func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
        store.changes(after: revision)
      }

      var latestContact: RemoteContact? { store.latestContact }

      func partition(_ prefix: String) -> any RemoteStore { store.partition(prefix) }
    }

    @Test("Each clause is kept, by a store and by a part of one", arguments: [false, true])
    func clauses(isPart: Bool) async throws {
      let server = try await EtcdServer.start()
      let contract = RemoteStoreContract {
        let proxy = try TestProxy(to: server.clientPort)
        var options = EtcdStore.Options(endpoints: [proxy.endpoint])
        options.prefix = "\(UUID())/"
        options.resumeTimeout = .zero
        let whole = try EtcdStore(options)
        let part = whole.partition("part/") as? EtcdStore
        let store = isPart ? part : whole
        return ProxiedStore(store: try #require(store), proxy: proxy)
      } setReachable: { store, isReachable in
        store.proxy.set(isReachable ? .open : .closed)
      }
      for clause in RemoteStoreContract.Clause.allCases {
        do {
          try await contract.check(clause)
        } catch {
          Issue.record("\(clause): \(error)")
        }
      }
    }
  }
#endif
