import Foundation
import FuzzTargets

/// A program that reads and writes property lists independently of this package.
struct Peer {
  /// The result of a run.
  struct Run {
    /// The exit status, or 128 plus the number of the signal that ended the run.
    var status: Int32
    var output: Data
    var error: String
  }

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
  func run(_ arguments: [String]) throws -> Run {
    let folder = try Folder()
    let output = folder.url("output")
    let error = folder.url("error")
    for file in [output, error] { try Data().write(to: file) }

    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: error)
    try process.run()
    process.waitUntilExit()
    let signal = process.terminationReason == .uncaughtSignal
    return Run(
      status: signal ? 128 + process.terminationStatus : process.terminationStatus,
      output: try Data(contentsOf: output),
      error: String(decoding: try Data(contentsOf: error), as: UTF8.self))
  }
}

/// An error that ends a test.
struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// A temporary folder that is removed with its last reference.
final class Folder: Sendable {
  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(at: root)
  }

  var path: String { root.path }

  /// The URL of a file in the folder.
  func url(_ name: String) -> URL { root.appending(path: name) }
}

/// The runs of plistlib.
enum Plistlib {
  /// Describes every document in a folder, in a file of the same name and `.typed`.
  static func read(_ folder: Folder) throws { try run("read", folder) }

  /// Writes every description in a folder in both formats.
  static func write(_ folder: Folder) throws { try run("write", folder) }

  private static func run(_ command: String, _ folder: Folder) throws {
    let run = try Peer.python.get().run([PlistlibPeer.script, command, folder.path])
    guard run.status == 0 else { throw Failure(description: run.error) }
  }
}
