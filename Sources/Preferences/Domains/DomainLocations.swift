internal import FoundationEssentials
internal import Glibc

/// The folders in which the files of domains lie.
public struct DomainLocations: Sendable, Hashable {
  /// The user's folder, which is written to: by default `$XDG_CONFIG_HOME` or `~/.config`. Domains
  /// of one host are in its folder `ByHost`.
  public var user: String

  /// The folders of defaults for all users, the first of which counts most: by default those of
  /// `$XDG_CONFIG_DIRS`, or `/etc/xdg`, and `/usr/local/etc`.
  public var system: [String]

  /// The folders of values that users cannot change, the first of which counts most: by default
  /// `/etc/xdg/managed/<uid>` and `/etc/xdg/managed`, whatever the environment says.
  public var managed: [String]

  /// Whether files in ``managed`` count only if root owns them and nobody else may write to them or
  /// to any folder on their way. True unless changed, and to be changed for tests alone.
  public var checksManagedOwnership = true

  /// What tells this machine from others that share the user's folder.
  public var hostIdentifier: String

  /// Folders of these paths.
  public init(user: String, system: [String], managed: [String], hostIdentifier: String) {
    self.user = user
    self.system = system
    self.managed = managed
    self.hostIdentifier = hostIdentifier
  }

  /// Folders `user`, `system` and `managed` within another one, for tests and for hosts that keep
  /// tenants apart. Nothing is checked for ownership.
  public init(within folder: String) {
    self.init(
      user: folder + "/user", system: [folder + "/system"], managed: [folder + "/managed"],
      hostIdentifier: "host")
    checksManagedOwnership = false
  }

  /// The folders of this process, by its environment.
  public static var standard: DomainLocations {
    DomainLocations(environment: ProcessInfo.processInfo.environment)
  }

  /// The folders of a process with these variables.
  init(environment: [String: String]) {
    // The XDG Base Directory Specification has relative paths ignored.
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

  /// The home folder that the system knows of the user.
  private static let homeOfUser: String = {
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "/" }
    return String(cString: home)
  }()

  /// A hash of `/etc/machine-id`, which machine-id(5) asks not to show as it is; where there is
  /// none, of the host's name.
  private static let machineIdentifier: String = {
    let identifier =
      (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8))
      ?? ProcessInfo.processInfo.hostName
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in ("Larder " + identifier).utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }()
}
