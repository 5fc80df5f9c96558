import Foundation
import TestSupport
import Testing

/// A library that is preloaded into a program and simulates a different system for it:
/// `other-system.c`, which documents its variables.
enum OtherSystem {
  private static let library: Result<String, any Error> = Result {
    let source = try #require(Bundle.module.path(forResource: "other-system", ofType: "c"))
    let run = try BuiltProgram("PreferencesTestProgram").run(
      "/usr/bin/env",
      ["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", "other.so", source, "-ldl"],
      in: folder.get())
    try #require(run.status == 0, "\(run.error)")
    return try folder.get().path("other.so")
  }

  private static let folder = Result { try TemporaryFolder() }

  /// A command that runs a program on such a system.
  static func command(_ variables: [String: String]) throws -> [String] {
    try ["env", "LD_PRELOAD=\(library.get())"] + variables.map { "\($0.key)=\($0.value)" }
  }
}

/// A user other than root.
enum OtherUser {
  static let identifier: uid_t = 65534

  /// A command that runs a program without root privileges, whether the test process has them or
  /// not.
  static let command =
    getuid() == 0
    ? ["setpriv", "--reuid=\(identifier)", "--regid=\(identifier)", "--clear-groups"] : []

  /// Gives files to the user of ``command``.
  static func own(_ paths: String...) throws {
    for path in paths where getuid() == 0 {
      try #require(chown(path, identifier, identifier) == 0)
    }
  }
}
