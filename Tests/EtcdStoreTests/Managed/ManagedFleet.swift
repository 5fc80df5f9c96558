#if Etcd
  import EtcdStore
  import Foundation
  import Preferences
  import PreferencesSync
  import PropertyList
  import TestSupport

  /// A cluster with the users of a fleet: `administrator` may change managed keys, `machine` only
  /// read them, and `fleet` has a separate prefix.
  final class ManagedFleet {
    let server: EtcdServer
    let folder: TemporaryFolder

    private init(_ server: EtcdServer) throws {
      self.server = server
      folder = try TemporaryFolder()
    }

    static func start(_ arguments: [String] = []) async throws -> ManagedFleet {
      let server = try await EtcdServer.start(certificates: try TestCertificates(), arguments)
      try await server.control("user", "add", "root:root-secret")
      try await server.control("role", "add", "root")
      try await server.control("user", "grant-role", "root", "root")
      for (user, permission, prefix) in [
        ("administrator", "readwrite", "managed"), ("machine", "read", "managed"),
        ("fleet", "readwrite", "larder"),
      ] {
        try await server.control("user", "add", "\(user):\(user)-secret")
        try await server.control("role", "add", user)
        try await server.control(
          "role", "grant-permission", user, permission, "\(prefix)/", "\(prefix)0")
        try await server.control("user", "grant-role", user, user)
      }
      try await server.control("auth", "enable")
      return try ManagedFleet(server)
    }

    /// The remote store as a user sees it.
    func store(of user: String, prefix: String = "managed/") throws -> EtcdStore {
      let file = folder.path("password-\(user)")
      try folder.write("\(user)-secret", to: "password-\(user)")
      chmod(file, 0o600)
      var options = EtcdStore.Options(endpoints: [server.endpoint])
      options.certificateAuthorityFile = server.certificates?.path("ca.pem")
      options.prefix = prefix
      options.user = EtcdStore.User(name: user, passwordFile: file)
      options.resumeTimeout = .seconds(120)
      return try EtcdStore(options)
    }

    @discardableResult
    func publish(
      _ values: PlistDictionary, as user: String = "administrator"
    ) async throws -> ManagedPreferences.Changes {
      try await ManagedPreferences.publish(
        values, domain: "org.example.app", to: store(of: user))
    }

    /// A replica in a folder, as root's agent on a machine.
    func replica(
      in machine: TemporaryFolder, as user: String = "machine"
    ) throws -> ManagedPreferencesReplica {
      ManagedPreferencesReplica(
        remote: try store(of: user), locations: DomainLocations(within: machine.path),
        stateFileAt: machine.path("state.plist"))
    }
  }

  extension TemporaryFolder {
    /// The values in the managed file.
    var managed: PlistDictionary? {
      guard let data = try? data("managed/org.example.app.plist"),
        case .dictionary(let values)? = try? Plist.read(data).value
      else { return nil }
      return values
    }
  }
#endif
