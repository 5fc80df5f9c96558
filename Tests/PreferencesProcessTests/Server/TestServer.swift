import Foundation
import PropertyList
import TestSupport
import Testing

/// The example's server, with its socket and its tenants in a folder.
final class TestServer {
  let folder: TemporaryFolder
  let process: TestProcess

  /// Starts the server and waits until clients can connect.
  ///
  /// - Parameters:
  ///   - settings: Options such as `--threads=4`.
  ///   - wrapper: Assignments of environment variables.
  init(in folder: TemporaryFolder, _ settings: String..., wrapper: [String] = []) throws {
    self.folder = folder
    process = try TestProcess(
      command: wrapper + [BuiltProgram("TenantServer").path] + Self.options(in: folder) + settings)
    guard let line = process.readLine() else {
      throw StartFailure(description: process.errorText())
    }
    #expect(line.hasPrefix("ready, ") || line.hasPrefix("worker "))
  }

  deinit {
    // A test that has failed leaves it running.
    if process.isRunning { process.send(SIGKILL) }
  }

  struct StartFailure: Error, CustomStringConvertible {
    var description: String
  }

  /// The options that name the files in a folder.
  static func options(in folder: TemporaryFolder) -> [String] {
    [
      "--settings=\(folder.path("settings.plist"))", "--socket=\(folder.path("socket"))",
      "--tenants=\(folder.path("tenants"))", "--pidFile=\(folder.path("pid"))",
    ]
  }

  /// Connects a client.
  func client() throws -> TenantClient {
    try #require(TenantClient(folder.path("socket")))
  }

  /// Ends the server by a signal.
  ///
  /// - Returns: Its exit status.
  func end(by signal: Int32 = SIGTERM) -> Int32 {
    process.send(signal)
    return process.wait()
  }
}

extension TemporaryFolder {
  /// The path of a tenant's file.
  func tenantFile(_ tenant: String) -> String {
    path("tenants/\(tenant)/preferences.plist")
  }

  /// The values of a tenant on disk.
  func tenant(_ name: String) throws -> PlistDictionary {
    try values("tenants/\(name)/preferences.plist")
  }
}
