internal import EtcdStore
internal import PreferencesSync

/// The remote stores on the cluster of a configuration, which share connections.
struct Cluster: Sendable {
  /// The entries of everything that Larder has in the cluster.
  let all: EtcdStore

  /// Creates the stores. Nothing is connected yet.
  init(_ options: EtcdStore.Options) throws(EtcdError) {
    #if Etcd
      all = try EtcdStore(options)
    #else
      throw EtcdError.withoutTrait
    #endif
  }

  /// The remote store of managed preferences.
  var managed: any RemoteStore { all.partition("managed/") }
}
