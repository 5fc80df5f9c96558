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
/// Requests go to the first endpoint that answers. If it fails, reads go to the next one at once; a
/// change whose response was lost throws, since it may have been made. A stream of changes resumes
/// at another endpoint from its last revision.
///
/// The store exists only in packages that enable Larder's trait `Etcd`, which needs libcurl.
public final class EtcdStore: PartitionedRemoteStore {
  let client: GatewayClient
  let keys: KeySpace
  private let hub: WatchHub

  #if Etcd
    /// Creates a store. Nothing is connected yet.
    ///
    /// - Throws: ``EtcdError`` if the options do not describe a cluster.
    public convenience init(_ options: Options) throws(EtcdError) {
      try self.init(options, CurlTransport().start)
    }
  #else
    /// Not available: the package must enable the trait.
    @available(
      *, unavailable, message: "add traits: [\"Etcd\"] to the dependency on the package Larder"
    )
    public convenience init(_ options: Options) throws(EtcdError) {
      throw .withoutTrait
    }
  #endif

  init(_ options: Options, _ transport: @escaping HTTPTransport) throws(EtcdError) {
    client = GatewayClient(options, try options.checkedEndpoints(), transport)
    keys = KeySpace(prefix: options.prefix)
    hub = WatchHub(client)
  }

  private init(_ client: GatewayClient, _ keys: KeySpace, _ hub: WatchHub) {
    self.client = client
    self.keys = keys
    self.hub = hub
  }

  /// Returns the remote store of the entries whose names have an additional prefix after this
  /// store's. It shares this store's connections and login, and with TLS its stream of changes.
  public func partition(_ prefix: String) -> any RemoteStore {
    EtcdStore(client, keys.part(prefix), hub)
  }

  /// Returns all entries as of one revision.
  ///
  /// - Throws: ``EtcdError``, `CancellationError`.
  public func entries() async throws -> RemoteSnapshot {
    try await client.throwingKnownErrors { try await readEntries() }
  }

  /// Returns the entry that a key has, or had at a revision.
  ///
  /// - Throws: ``EtcdError``, `RemoteStoreError.revisionCompacted`, `CancellationError`.
  public func entry(forKey key: String, at revision: Int64?) async throws -> RemoteEntry? {
    try await client.throwingKnownErrors {
      try await client.entry(keys.name(of: key), at: revision).map { entry in
        RemoteEntry(key: key, data: entry.value ?? Data(), revision: entry.modRevision?.value ?? 0)
      }
    }
  }

  /// Applies changes in transactions of up to a hundred.
  ///
  /// If the connection to a member is lost and made again before the member has answered, the
  /// result can be a conflict with the change's own data.
  ///
  /// - Throws: ``EtcdError``, `CancellationError`.
  public func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
    try await client.throwingKnownErrors { try await ChangeBatches(client, keys).apply(changes) }
  }

  /// Applies changes, and one change to another part of this store, in one transaction.
  ///
  /// - Throws: ``EtcdError``, `CancellationError`.
  public func apply(
    _ changes: [RemoteChange], with other: RemoteChange, of part: any RemoteStore
  ) async throws -> [RemoteChangeResult]? {
    guard let part = part as? EtcdStore, part.client === client else { return nil }
    return try await client.throwingKnownErrors {
      try await ChangeBatches(client, keys).apply(changes, with: other, of: part.keys)
    }
  }

  /// Returns the changes after a revision.
  ///
  /// The stream throws `RemoteStoreError.revisionCompacted`, also if the cluster has not reached
  /// the revision, for example after it was restored from a backup. It throws ``EtcdError`` if no
  /// member with a majority behind it has answered for ``Options/resumeTimeout``.
  public func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
    (client.sharesStreams ? hub : WatchHub(client)).changes(of: keys, after: revision)
  }

  /// The latest answer of a member. Its clock is known in whole seconds.
  public var latestContact: RemoteContact? { client.latestContact }

  /// Asks each member for the time by its clock. Addresses of the same member count once.
  public func contacts() async -> [RemoteContact] { await client.contacts(keys) }
}
