internal import FileStorage
internal import FoundationEssentials
internal import Glibc

/// The folders that contain the files of domains.
public struct DomainLocations: Sendable, Hashable {
  /// The user's folder, to which values are saved: `$XDG_CONFIG_HOME` or `~/.config` by default.
  /// Domains for one host are in its subfolder `ByHost`.
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

  /// Creates locations from the subfolders `user`, `system` and `managed` of a folder, for tests
  /// and for servers that separate tenants. Ownership is not checked.
  public init(within folder: String) {
    self.init(
      user: folder + "/user", system: [folder + "/system"], managed: [folder + "/managed"],
      hostIdentifier: "host")
    checksManagedOwnership = false
  }

  /// The locations of this process, according to its environment.
  public static var standard: DomainLocations {
    DomainLocations(environment: ProcessInfo.processInfo.environment)
  }

  /// The locations of a process with these environment variables.
  init(environment: [String: String]) {
    // The XDG Base Directory Specification says to ignore relative paths.
    func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }

    let home = absolute(environment["HOME"]) ?? Self.homeOfUser
    let user = absolute(environment["XDG_CONFIG_HOME"]) ?? home + "/.config"
    var system = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":")
      .compactMap { absolute(String($0)) }
    if system.isEmpty { system = ["/etc/xdg"] }
    self.init(
      user: user, system: system + ["/usr/local/etc"],
      managed: ["/etc/xdg/managed/\(getuid())", "/etc/xdg/managed"],
      hostIdentifier: Self.machineIdentifier)
  }

  /// The user's home folder in the system's user database.
  private static let homeOfUser: String = {
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "/" }
    return String(cString: home)
  }()

  /// A hash of `/etc/machine-id`, which machine-id(5) asks not to expose, or of the host name if
  /// there is none.
  private static let machineIdentifier: String = {
    let identifier =
      (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8))
      ?? ProcessInfo.processInfo.hostName
    return String(FNV1a.hash(("Larder " + identifier).utf8), radix: 16)
  }()
}
