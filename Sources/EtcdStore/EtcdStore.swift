internal import FoundationEssentials
public import PreferencesSync

/// A remote store on an etcd cluster, through the JSON gateway of its version 3.
///
/// ```swift
/// var options = EtcdStore.Options(endpoints: [
///   "https://etcd-1.example.org:2379", "https://etcd-2.example.org:2379",
/// ])
/// options.certificateAuthorityFile = "/etc/larder/etcd-ca.pem"
/// options.user = EtcdStore.User(name: "fleet", passwordFile: "/etc/larder/etcd-password")
/// let synchronizer = PreferencesSynchronizer(
///   store: .standard, remote: try EtcdStore(options), stateFileAt: path)
/// ```
///
/// Requests go to the first endpoint that answers. Where it fails, reads go to the next one at once;
/// a change whose answer was lost throws, since it may have taken place. A stream of changes goes on
/// at another endpoint, from the revision that it has come to.
///
/// The store exists in packages that ask for the trait `Etcd` of Larder, which needs libcurl.
public final class EtcdStore: PartitionedRemoteStore {
  let client: GatewayClient
  private let keys: KeySpace

  #if Etcd
    /// Creates a store. Nothing is connected yet.
    ///
    /// - Throws: ``EtcdError`` if the options do not describe a cluster.
    public convenience init(_ options: Options) throws(EtcdError) {
      try self.init(options, CurlTransport())
    }
  #else
    /// Not available: the package has to ask for the trait.
    @available(
      *, unavailable, message: "add traits: [\"Etcd\"] to the dependency on the package Larder"
    )
    public convenience init(_ options: Options) throws(EtcdError) {
      throw .withoutTrait
    }
  #endif

  init(_ options: Options, _ transport: any HTTPTransport) throws(EtcdError) {
    client = GatewayClient(options, try options.checkedEndpoints(), transport)
    keys = KeySpace(prefix: options.prefix)
  }

  private init(_ client: GatewayClient, _ keys: KeySpace) {
    self.client = client
    self.keys = keys
  }

  /// Returns the remote store of the entries whose names go on with a prefix after that of this store.
  /// It shares the connections and the log-in of this one.
  public func partition(_ prefix: String) -> any RemoteStore {
    EtcdStore(client, keys.part(prefix))
  }

  /// Returns all entries as of one revision.
  ///
  /// - Throws: ``EtcdError``, `CancellationError`.
  public func entries() async throws -> RemoteSnapshot {
    try await client.throwingKnownErrors { try await Snapshot(client, keys).entries() }
  }

  /// Returns the entry that a key has, or had at a revision.
  ///
  /// - Throws: ``EtcdError``, `RemoteStoreError.revisionCompacted`, `CancellationError`.
  public func entry(forKey key: String, at revision: Int64?) async throws -> RemoteEntry? {
    try await client.throwingKnownErrors {
      try await client.entry(keys.name(of: key), at: revision).map { entry in
        RemoteEntry(key: key, data: entry.value ?? Data(), revision: entry.revision?.value ?? 0)
      }
    }
  }

  /// Applies changes in transactions of up to a hundred.
  ///
  /// If a member goes away and the connection to it is made again before it has answered, the result
  /// can be a conflict with the data of the change itself.
  ///
  /// - Throws: ``EtcdError``, `CancellationError`.
  public func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
    try await client.throwingKnownErrors { try await ChangeBatches(client, keys).apply(changes) }
  }

  /// Returns the changes after a revision.
  ///
  /// The stream throws `RemoteStoreError.revisionCompacted`, also if the cluster has not come to the
  /// revision, as one that was restored from a backup; or ``EtcdError`` if no member with a majority
  /// behind it has answered for ``Options/resumeTimeout``.
  public func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
    let session = WatchSession(client, keys, after: revision)
    return AsyncThrowingStream { try await session.next() }
  }

  /// The latest answer of a member. Its clock is known in whole seconds.
  public var latestContact: RemoteContact? { client.latestContact }
}
