#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import TestSupport
  import Testing

  @Suite("Batches of changes", .timeLimit(.minutes(10)))
  struct ChangeBatchTests {
    @Test("Conflicts of a batch take one round trip more, not one for each key")
    func conflicts() async throws {
      let server = try await EtcdServer.start()
      let proxy = try TestProxy(to: server.clientPort)
      let store = try EtcdStore(EtcdStore.Options(endpoints: [proxy.endpoint]))
      let keys = (0..<80).map { "k\($0)" }
      let first = try await store.apply(
        keys.map { RemoteChange(key: $0, data: Data($0.utf8), replacing: 0) })
      let revision = try #require(first.first).requireStored()
      let before = proxy.requestCount
      // Every other one conflicts.
      let results = try await store.apply(
        keys.enumerated().map { number, key in
          RemoteChange(key: key, data: Data("new".utf8), replacing: number % 2 == 0 ? revision : 1)
        })
      #expect(proxy.requestCount - before == 2)
      for (number, result) in results.enumerated() {
        let key = keys[number]
        if number % 2 == 0 {
          #expect(result == .stored(revision: revision + 1))
        } else {
          let entry = RemoteEntry(key: key, data: Data(key.utf8), revision: revision)
          #expect(result == .conflict(current: entry))
        }
      }
    }
  }
#endif
