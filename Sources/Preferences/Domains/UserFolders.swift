internal import FileStorage
internal import Glibc
internal import Threading

/// The user's folders, as the XDG Base Directory Specification names them.
///
/// The user is the effective one: a set-user-ID program has its owner's folders.
package struct UserFolders: Sendable {
  /// Returns the user's home folder in the system's user database.
  var homeInDatabase: @Sendable () -> String? = { UserFolders.homeInDatabase() }
  /// Returns the value of an environment variable.
  let variable: @Sendable (String) -> String?

  /// The folders of the process and its environment.
  package static let standard = UserFolders { Environment.value(of: $0) }

  /// Replaces the missing folder of a user. It cannot be created, because `/dev/null` is not a
  /// folder.
  package static let missing = "/dev/null/no-user-folder"

  /// `$XDG_CONFIG_HOME`, or `.config` in the home folder, or ``missing``.
  package var configuration: String {
    path("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" } ?? Self.missing
  }

  /// `$XDG_STATE_HOME`, or `.local/state` in the home folder, or ``missing``.
  package var state: String {
    path("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" } ?? Self.missing
  }

  /// `$HOME`, or the home folder in the system's user database. The root folder is ignored:
  /// containers set it for users that they do not know.
  private var home: String? {
    if let home = path("HOME"), Self.isHome(home) { return home }
    return homeInDatabase()
  }

  private static func isHome(_ path: String) -> Bool {
    path.hasPrefix("/") && path != "/nonexistent" && path.utf8.contains { $0 != UInt8(ascii: "/") }
  }

  /// The absolute path in a variable. The specification says to ignore relative ones.
  private func path(_ name: String) -> String? {
    variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The effective user's home folder in the system's user database.
  static func homeInDatabase() -> String? {
    if let known = knownHome.withLock({ $0 }) { return known.path }
    // A database that cannot be read now is read again the next time.
    guard let home = home(of: geteuid()) else { return nil }
    knownHome.withLock { $0 = home }
    return home.path
  }

  /// A user's entry in the database.
  private struct Home: Sendable {
    /// Nil if the user has none.
    var path: String?
  }

  private static let knownHome = Lock<Home?>(nil)

  /// Returns nil if the database cannot be read, and an entry without a folder if it lacks the
  /// user.
  private static func home(of user: uid_t) -> Home? {
    var buffer = [CChar](repeating: 0, count: 1 << 10)
    for _ in 0..<10 {
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      switch getpwuid_r(user, &entry, &buffer, buffer.count, &found) {
      case 0 where found == nil, ENOENT, ESRCH: return Home()
      case 0:
        let path = entry.pw_dir.map { String(cString: $0) }
        return Home(path: path.flatMap { isHome($0) ? $0 : nil })
      case ERANGE where buffer.count < 1 << 20:
        buffer = [CChar](repeating: 0, count: buffer.count * 8)
      default: Duration.milliseconds(20).sleep()
      }
    }
    return nil
  }
}
