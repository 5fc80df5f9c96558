internal import Glibc

/// The folders that contain the files of domains.
public struct DomainLocations: Sendable, Hashable {
  /// The user's folder, to which values are saved: `$XDG_CONFIG_HOME` or `~/.config` by default.
  /// Domains for one host are in its subfolder `ByHost`. See ``hasUserFolder``.
  public var user: String

  /// The folders of defaults for all users, in the order in which they are searched: by default
  /// those of `$XDG_CONFIG_DIRS`, or `/etc/xdg`, and then `/usr/local/etc`.
  public var system: [String]

  /// The folders of values that users cannot change, in the order in which they are searched:
  /// `/etc/xdg/managed/<uid>` and `/etc/xdg/managed` by default, regardless of the environment.
  public var managed: [String]

  /// Whether files in ``managed`` count only if root owns them and nobody else can write to them or
  /// to any folder above them. True by default; only tests should change it.
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

  /// Whether there is a folder to which values can be saved.
  ///
  /// There is none by default for a user without a home folder: in many containers, `HOME` is missing
  /// or `/` and the user is not in the system's database. `XDG_CONFIG_HOME` then names the folder, or
  /// the program sets ``user``. Without it stores of domains cannot be opened; nothing is ever saved
  /// to the root folder or relative to the working directory.
  public var hasUserFolder: Bool { !user.isEmpty && user != UserFolders.missing }

  /// Creates locations from the subfolders `user`, `system` and `managed` of a folder, for tests
  /// and for servers that separate tenants. Ownership is not checked.
  ///
  /// - Parameter folder: The path of the folder. With an empty one there is no user's folder.
  public init(within folder: String) {
    self.init(
      user: folder.isEmpty ? UserFolders.missing : folder + "/user", system: [folder + "/system"],
      managed: [folder + "/managed"],
      hostIdentifier: "host")
    checksManagedOwnership = false
  }

  /// Refuses locations without a user's folder.
  func checkUserFolder() throws(PreferencesError) {
    guard hasUserFolder else { throw .noUserFolder }
  }

  /// The locations of this process, according to its environment.
  public static var standard: DomainLocations { DomainLocations(environment: .standard) }

  /// The locations of a process with the variables of an environment.
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
