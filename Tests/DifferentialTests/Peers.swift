import Foundation
import FuzzTargets
import TestSupport

/// A program that reads and writes property lists independently of this package.
struct Peer {
  private let program: URL

  /// The Python interpreter for plistlib.
  static let python = find("python3")

  /// The toolchain's own plutil, beside the swift that runs the tests.
  static let plutil = find("swift").flatMap { swift -> Result<Peer, Failure> in
    let folder = swift.program.resolvingSymlinksInPath().deletingLastPathComponent()
    let plutil = folder.appending(path: "plutil")
    guard FileManager.default.isExecutableFile(atPath: plutil.path) else {
      return .failure(
        Failure(description: "there is no plutil in \(folder.path), where swift is"))
    }
    return .success(Peer(program: plutil))
  }

  private static func find(_ name: String) -> Result<Peer, Failure> {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for folder in path.split(separator: ":") {
      let program = URL(filePath: String(folder)).appending(path: name)
      if FileManager.default.isExecutableFile(atPath: program.path) {
        return .success(Peer(program: program))
      }
    }
    return .failure(Failure(description: "\(name) is in no folder of PATH"))
  }

  /// Runs the program to its end.
  func run(_ arguments: [String]) throws -> BuiltProgram.Run {
    var runner = BuiltProgram("plutil")
    runner.environment = ["SWIFT_BACKTRACE": "enable=no"]
    return try runner.run(program.path, arguments, in: TemporaryFolder())
  }
}

/// An error that ends a test.
struct Failure: Error, CustomStringConvertible {
  let description: String
}

extension TemporaryFolder {
  /// The URL of a file in the folder.
  func url(_ name: String) -> URL { URL(filePath: path(name)) }
}

/// The runs of plistlib.
enum Plistlib {
  /// Describes every document in a folder, in a file of the same name and `.typed`.
  static func read(_ folder: TemporaryFolder) throws { try run("read", folder) }

  /// Writes every description in a folder in both formats.
  static func write(_ folder: TemporaryFolder) throws { try run("write", folder) }

  private static func run(_ command: String, _ folder: TemporaryFolder) throws {
    let run = try Peer.python.get().run([PlistlibPeer.script, command, folder.path])
    guard run.status == 0 else { throw Failure(description: run.error) }
  }
}
