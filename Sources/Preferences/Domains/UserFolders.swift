internal import FileStorage
internal import Glibc
internal import Threading

/// The user's folders, as the XDG Base Directory Specification names them.
///
/// The user is the one with whose rights the process acts: a set-user-ID program has the folders of
/// its owner.
package struct UserFolders: Sendable {
  /// The value of an environment variable; nil if there is none.
  let variable: @Sendable (String) -> String?

  /// The folders according to the environment of the process.
  package static let standard = UserFolders { Environment.value(of: $0) }

  /// The folder of configuration: `$XDG_CONFIG_HOME`, or `.config` in the home folder.
  package var configuration: String { path("XDG_CONFIG_HOME") ?? home + "/.config" }

  /// The folder of state: `$XDG_STATE_HOME`, or `.local/state` in the home folder.
  package var state: String { path("XDG_STATE_HOME") ?? home + "/.local/state" }

  /// The home folder: `$HOME`, or the one in the system's user database.
  private var home: String { path("HOME") ?? Self.homeInDatabase }

  /// The absolute path in a variable. The specification says to ignore relative ones.
  private func path(_ name: String) -> String? {
    variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  private static var homeInDatabase: String {
    if let known = knownHome.withLock({ $0 }) { return known }
    // A database that cannot be read now is read again the next time.
    guard let home = home(of: geteuid()) else { return "/nonexistent" }
    knownHome.withLock { $0 = home }
    return home
  }

  private static let knownHome = Lock<String?>(nil)

  /// Returns the home folder of a user; nil if the database cannot be read. A user who is not in it
  /// has none.
  private static func home(of user: uid_t) -> String? {
    var buffer = [CChar](repeating: 0, count: 1 << 10)
    for _ in 0..<10 {
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      switch getpwuid_r(user, &entry, &buffer, buffer.count, &found) {
      case 0 where found == nil, ENOENT, ESRCH: return "/nonexistent"
      case 0: return entry.pw_dir.map { String(cString: $0) } ?? "/nonexistent"
      case ERANGE where buffer.count < 1 << 20:
        buffer = [CChar](repeating: 0, count: buffer.count * 8)
      default: Duration.milliseconds(20).sleep()
      }
    }
    return nil
  }
}
