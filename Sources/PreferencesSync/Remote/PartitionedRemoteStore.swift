/// A remote store whose parts can be used as separate remote stores.
public protocol PartitionedRemoteStore: RemoteStore {
  /// Returns the remote store of the entries whose keys begin with a prefix. Its keys do not
  /// include the prefix, and its revisions are the whole store's.
  ///
  /// No prefix in use may begin with another.
  func partition(_ prefix: String) -> any RemoteStore
}

extension PartitionedRemoteStore {
  /// Returns the part with the values of a domain of preferences. Its prefix is `domains/`, the
  /// name of the domain and a slash.
  public func values(ofDomain domain: String) -> any RemoteStore {
    partition("domains/\(Self.escaped(domain))/")
  }

  /// Returns the part for the registry of the machines that synchronize a domain of preferences.
  /// Its prefix is `registry/`, the name of the domain and a slash.
  public func registry(ofDomain domain: String) -> any RemoteStore {
    partition("registry/\(Self.escaped(domain))/")
  }

  /// The name of a domain, which may be a path, with its slashes escaped.
  private static func escaped(_ domain: String) -> String {
    domain.replacing("%", with: "%25").replacing("/", with: "%2F")
  }
}
