extension EtcdStore {
  /// The address of a cluster, and how a store connects to it.
  public struct Options: Sendable, Hashable {
    /// The addresses of the members of the cluster that answer clients, for example
    /// `https://etcd-1.example.org:2379`. They are tried in this order, and one that has answered is
    /// used until it fails.
    public var endpoints: [String]
    /// The prefix of all entry names in the cluster. Stores with different prefixes do not see each
    /// other's entries, unless one prefix begins with the other.
    public var prefix = "larder/"
    /// The file with the certificates, in PEM form, of the authorities that sign members'
    /// certificates; nil for the authorities that the system trusts.
    public var certificateAuthorityFile: String?
    /// The certificate of this client and its private key.
    public var clientCertificate: ClientCertificate?
    /// The user that the store logs in as.
    public var user: User?
    /// How long a connection and its TLS handshake may take.
    public var connectTimeout = Duration.seconds(3)
    /// How long a member may take until it begins to answer. The whole answer may take ten times as
    /// long.
    public var requestTimeout = Duration.seconds(5)
    /// How often a stream of changes checks that the member still responds. A member that does not
    /// respond within the request's timeout is replaced by the next.
    public var keepAliveInterval = Duration.seconds(10)
    /// How long a stream of changes tries to connect again before it ends.
    public var resumeTimeout = Duration.seconds(10)
    /// The size in bytes of the largest answer that is read. By default, a cluster limits a
    /// request to 1.5 MiB, and an answer to a third more than that because of its encoding.
    public var largestAnswer = 32 << 20
    /// The size in bytes of all entries that the store may have. Each counts 128 bytes more than its
    /// key and data.
    public var largestStore = 256 << 20

    /// Creates the options for a cluster with these endpoints.
    public init(endpoints: [String]) {
      self.endpoints = endpoints
    }
  }

  /// The files of a client's certificate. They are read for each connection, so that they can be
  /// replaced at any time.
  public struct ClientCertificate: Sendable, Hashable {
    /// The file with the certificate, in PEM form.
    public var file: String
    /// The file with the private key, in PEM form. It must belong to the user of the process or to
    /// root, and must not be readable by other users, except the group of a file owned by root.
    public var privateKeyFile: String

    /// Creates a certificate from its files.
    public init(file: String, privateKeyFile: String) {
      self.file = file
      self.privateKeyFile = privateKeyFile
    }
  }

  /// A user of the cluster.
  public struct User: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The file with the password; a trailing line feed is ignored. It must belong to the user of
    /// the process or to root, and must not be readable by other users, except the group of a file
    /// owned by root. It is read for each login.
    public var passwordFile: String

    /// Creates a user from a name and the file with the password.
    public init(name: String, passwordFile: String) {
      self.name = name
      self.passwordFile = passwordFile
    }
  }
}
