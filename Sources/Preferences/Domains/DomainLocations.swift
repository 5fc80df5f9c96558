internal import Glibc

/// The folders of domains' files.
public struct DomainLocations: Sendable, Hashable {
  /// The user's folder, where values are saved: `$XDG_CONFIG_HOME` or `~/.config` by default. Its
  /// subfolder `ByHost` has the domains for one host. See ``hasUserFolder``.
  public var user: String

  /// The folders of defaults for all users, in search order: by default `$XDG_CONFIG_DIRS`, or
  /// `/etc/xdg`, and then `/usr/local/etc`.
  public var system: [String]

  /// The folders of values that users cannot change, in search order: `/etc/xdg/managed/<uid>` and
  /// `/etc/xdg/managed` by default, regardless of the environment.
  public var managed: [String]

  /// Whether a file in ``managed`` counts only if root owns it and no other user can write to it or
  /// to a folder above it. True by default; only tests should change it.
  public var checksManagedOwnership = true

  /// Identifies this machine among those that share the user's folder.
  public var hostIdentifier: String

  /// Creates locations from paths.
  public init(user: String, system: [String], managed: [String], hostIdentifier: String) {
    self.user = user
    self.system = system
    self.managed = managed
    self.hostIdentifier = hostIdentifier
  }

  /// Whether there is a folder for the user's values.
  ///
  /// By default there is none for a user without a home folder: in many containers, `HOME` is
  /// missing or `/` and the user is not in the system's database. `XDG_CONFIG_HOME` or the program
  /// (``user``) can name a folder. Without one, stores of domains cannot be opened; nothing is ever
  /// saved to the root folder or relative to the working directory.
  public var hasUserFolder: Bool { !user.isEmpty && user != UserFolders.missing }

  /// Creates locations from the subfolders `user`, `system` and `managed` of a folder, for tests
  /// and for servers that separate tenants. Ownership is not checked.
  ///
  /// - Parameter folder: If empty, there is no folder for the user.
  public init(within folder: String) {
    self.init(
      user: folder.isEmpty ? UserFolders.missing : folder + "/user", system: [folder + "/system"],
      managed: [folder + "/managed"], hostIdentifier: "host")
    checksManagedOwnership = false
  }

  /// The folder of the user's domains for one host.
  var hostFolder: String { user + "/ByHost" }

  func checkUserFolder() throws(PreferencesError) {
    guard hasUserFolder else { throw .noUserFolder }
  }

  /// The locations of this process and its environment.
  public static var standard: DomainLocations { DomainLocations(environment: .standard) }

  init(environment: UserFolders) {
    var system = (environment.variable("XDG_CONFIG_DIRS") ?? "").split(separator: ":")
      .map { String($0) }.filter { $0.hasPrefix("/") }
    if system.isEmpty { system = ["/etc/xdg"] }
    self.init(
      user: environment.configuration, system: system + ["/usr/local/etc"],
      managed: ["/etc/xdg/managed/\(geteuid())", "/etc/xdg/managed"],
      hostIdentifier: MachineIdentifier.current)
  }
}
