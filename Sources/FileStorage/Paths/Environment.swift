internal import CLinuxFile
internal import Glibc

/// The environment of the process, which a program that runs with more rights than its user must
/// not trust: to a set-user-ID program it looks empty.
package enum Environment {
  /// Returns the value of a variable; bytes that are not UTF-8 become U+FFFD, which
  /// ``FilePath/check(_:)`` refuses.
  package static func value(of name: String) -> String? {
    larder_environment(name).map { String(cString: $0) }
  }

  /// Returns the path of a program in the folders of `PATH`.
  package static func path(of program: String) -> String? {
    (value(of: "PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy
      .map { FilePath.joining(String($0), program) }.first { access($0, X_OK) == 0 }
  }
}
