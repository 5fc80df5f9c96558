package import Foundation
internal import Glibc
internal import Threading

/// A new folder, removed when its last reference is released.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter isInMemory: Whether its files need no disk, where the system has such a place.
  package init(isInMemory: Bool = false) throws {
    let memory = "/dev/shm/"
    let parent = isInMemory && access(memory, W_OK) == 0 ? memory : NSTemporaryDirectory()
    path = parent + "larder-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    Self.removeAtExit(path)
  }

  // MARK: Leftovers

  /// The paths of released folders. A store that could not save when its folder was removed tries
  /// again, and creates it again.
  private static let released = Lock<[String]>([])
  private static let process = getpid()

  /// Removes a folder once more when the process ends.
  private static func removeAtExit(_ path: String) {
    released.withLock { paths in
      if paths.isEmpty {
        atexit {
          // A forked child inherits the paths.
          guard getpid() == TemporaryFolder.process else { return }
          for path in TemporaryFolder.released.withLock({ $0 }) {
            try? FileManager.default.removeItem(atPath: path)
          }
        }
      }
      paths.append(path)
    }
  }

  /// The path of a file in the folder.
  package func path(_ name: String) -> String { path + "/" + name }

  /// Makes folders in the folder, each with those around it.
  package func makeFolder(_ names: String...) throws {
    for name in names {
      try FileManager.default.createDirectory(
        atPath: path(name), withIntermediateDirectories: true)
    }
  }

  /// Makes a symbolic link in the folder.
  package func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path(name), withDestinationPath: target)
  }

  package func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
  }

  package func write(_ data: Data, to name: String) throws {
    try data.write(to: URL(fileURLWithPath: path(name)))
  }

  package func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  package func text(_ name: String) throws -> String {
    String(decoding: try data(name), as: UTF8.self)
  }

  /// The sorted names of the files in the folder.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// The sorted names of the files in a subfolder.
  package func names(_ name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }
}
