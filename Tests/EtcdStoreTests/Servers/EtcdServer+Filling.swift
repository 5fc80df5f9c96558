#if Etcd
  import EtcdStore
  import Foundation
  import PreferencesSync
  import Testing

  extension EtcdServer {
    /// Stores data until the database is larger than its quota, which raises the alarm NOSPACE.
    func fill() async throws {
      var options = EtcdStore.Options(endpoints: [endpoint])
      options.prefix = "filling/"
      let store = try EtcdStore(options)
      for number in 0..<100 {
        do {
          _ = try await store.put(Data(count: 200_000), forKey: "\(number)", replacing: 0)
        } catch let error as EtcdError where error.kind == .noSpace {
          return
        }
      }
      Issue.record("the database is not full")
    }
  }
#endif
