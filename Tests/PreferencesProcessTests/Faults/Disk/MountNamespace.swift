import Foundation
import TestSupport

/// A shell in a separate mount namespace. File systems that it mounts are not visible elsewhere and
/// disappear with it. Where users may create namespaces, no privileges are needed.
final class MountNamespace {
  private let shell: TestProcess

  /// Starts a shell in a folder, whose subfolder `disk` is the home of preferences. The programs of
  /// the package can be run by their names.
  ///
  /// - Parameter commands: Commands to run first.
  /// - Throws: ``Failure`` if one of them fails.
  init(in folder: TemporaryFolder, _ commands: String...) throws {
    let programs = URL(fileURLWithPath: BuiltProgram("plutil").path).deletingLastPathComponent()
    shell = try TestProcess(
      command: ["unshare", getuid() == 0 ? "-m" : "-Urm", "bash", "--norc"])
    let setup = """
      cd '\(folder.path)' && export XDG_CONFIG_HOME='\(folder.path("disk"))' SWIFT_BACKTRACE=enable=no
      PATH='\(programs.path)':"$PATH"
      """
    shell.writeLine(setup)
    for command in commands {
      let (status, output) = run(command)
      guard status == 0 else { throw Failure(description: "\(command): \(output)") }
    }
  }

  deinit { shell.wait() }

  /// Runs a command in the folder and waits for its end.
  ///
  /// - Returns: Its exit status, and everything that it printed.
  @discardableResult
  func run(_ command: String) -> (status: Int32, output: String) {
    let mark = UUID().uuidString
    shell.writeLine("( \(command)\n ) < /dev/null 2>&1; printf '\\n%s %s\\n' $? \(mark)")
    var lines: [String] = []
    while let line = shell.readLine() {
      if line.hasSuffix(mark) {
        let status = Int32(line.prefix { $0 != " " }) ?? -1
        return (status, lines.joined(separator: "\n"))
      }
      lines.append(line)
    }
    return (-1, shell.errorText())
  }

  /// Why no such namespace can be created here; nil if one can.
  static let obstacle: String? = {
    do {
      let folder = try TemporaryFolder()
      _ = try MountNamespace(in: folder, "mkdir disk", "mount -t tmpfs none disk")
      return nil
    } catch {
      return "no file system can be mounted here: \(error)"
    }
  }()

  /// A command that failed in the namespace.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }
}
