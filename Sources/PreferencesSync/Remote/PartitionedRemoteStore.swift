/// A remote store whose parts can be used like whole ones.
public protocol PartitionedRemoteStore: RemoteStore {
  /// Returns the remote store of the entries whose keys begin with a prefix. Its keys are without the
  /// prefix, and its revisions those of the whole store.
  ///
  /// Of several prefixes in use, none may begin with another one.
  func partition(_ prefix: String) -> any RemoteStore
}

extension PartitionedRemoteStore {
  /// Returns the part with the values of a domain of preferences: that of `domains/`, the name of the
  /// domain and a slash.
  public func values(ofDomain domain: String) -> any RemoteStore {
    partition("domains/\(Self.escaped(domain))/")
  }

  /// Returns the part for the registry of the machines that synchronize a domain of preferences: that
  /// of `registry/`, the name of the domain and a slash.
  public func registry(ofDomain domain: String) -> any RemoteStore {
    partition("registry/\(Self.escaped(domain))/")
  }

  /// The name of a domain, which may be a path, without slashes.
  private static func escaped(_ domain: String) -> String {
    domain.replacing("%", with: "%25").replacing("/", with: "%2F")
  }
}
