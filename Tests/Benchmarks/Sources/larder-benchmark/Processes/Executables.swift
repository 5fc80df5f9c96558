import Foundation

/// Installed programs.
enum Executables {
  /// Returns the program with a name in the folders of PATH.
  static func find(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").lazy
      .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// The file of this program, independent of its first argument.
  static var own: URL {
    URL(fileURLWithPath: ChildProcess.thisProgram).resolvingSymlinksInPath()
  }

  /// Returns the program with a name in the folder of another program.
  static func find(_ name: String, beside program: URL) -> URL? {
    let url = program.resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent(name)
    return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
  }
}
