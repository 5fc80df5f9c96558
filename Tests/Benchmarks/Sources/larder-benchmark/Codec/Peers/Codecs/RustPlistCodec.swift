import Foundation

/// rust-plist in a process that measures itself, if its program has been built.
struct RustPlistCodec: CodecPeer {
  let name = CodecPeerName.rustPlist
  private let client: LineClient

  /// - Parameter program: The path of the program, or nil if it is not known.
  init(_ program: String?) throws {
    guard let program, FileManager.default.isExecutableFile(atPath: program) else {
      throw BenchmarkError("not built: `make bench` needs cargo and librust-plist-dev for it")
    }
    client = try LineClient("rust-plist", with: URL(fileURLWithPath: program), [])
  }

  /// Returns the version of rust-plist.
  func version() throws -> String { try client.request("version - 0 -") }

  func timer(
    _ operation: CodecOperation, _ document: SampleDocument
  ) throws -> ((Int) throws -> Double)? {
    client.timer(operation, document)
  }
}
