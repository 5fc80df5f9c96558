import Foundation
import TestSupport

/// A disk whose writes and flushes are recorded: a loop device over a file that a FUSE server
/// offers. It needs root privileges.
final class RecordedDisk {
  /// A request that the device received.
  enum Request {
    case write(offset: Int, Data)
    case flush
  }

  let folder: TemporaryFolder
  private let server: TestProcess
  private let device: String
  private let log: FileHandle

  /// Records the requests to a copy of a disk image, and mounts it on the subfolder `mount` of a
  /// folder.
  init(of image: Data, in folder: TemporaryFolder) throws {
    self.folder = folder
    try folder.write(image, to: "image")
    try folder.write("", to: "log")
    for name in ["server", "mount"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    let script = Bundle.module.path(forResource: "recording-disk", ofType: "py")!
    server = try TestProcess(
      command: ["python3", script, folder.path("server"), folder.path("image"), folder.path("log")])
    guard server.readLine() == "ready" else {
      server.wait()
      throw Failure(description: server.errorText())
    }
    device = try Self.run("losetup --find --show server/disk", in: folder)
    log = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path("log")))
    try Self.run("mount -o noatime \(device) mount", in: folder)
  }

  /// The number of bytes that have been recorded.
  var recordedSize: Int { (try? Int(log.seekToEnd())) ?? 0 }

  /// Unmounts the disk.
  ///
  /// - Returns: All requests, each with the number of recorded bytes before it.
  func finish() throws -> [(position: Int, request: Request)] {
    try Self.run("umount mount && losetup --detach \(device)", in: folder)
    server.wait()
    let bytes = try folder.data("log")
    var requests: [(position: Int, request: Request)] = []
    var position = 0
    func number(_ start: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
    }
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "F") {
        requests.append((position, .flush))
        position += 1
      } else {
        let (offset, size) = (number(position + 1, 8), number(position + 9, 4))
        let start = position + 13
        requests.append((position, .write(offset: offset, bytes.subdata(in: start..<start + size))))
        position = start + size
      }
    }
    return requests
  }

  /// Runs a shell command in a folder and returns its output, without the newline at its end.
  @discardableResult
  static func run(_ command: String, in folder: TemporaryFolder) throws -> String {
    let run = try BuiltProgram("plutil").run(
      "/bin/sh", ["-c", "PATH=\"$PATH:/usr/sbin:/sbin\"; \(command)"], in: folder)
    guard run.status == 0 else { throw Failure(description: "\(command): \(run.error)") }
    return run.text.trimmingCharacters(in: .newlines)
  }

  /// Why no such disk can be created here; nil if one can.
  static let obstacle: String? = {
    guard getuid() == 0 else { return "only root can mount disk images" }
    do {
      let folder = try TemporaryFolder()
      let image = try makeImage()
      _ = try RecordedDisk(of: image, in: folder).finish()
      return nil
    } catch {
      return "no disk image can be mounted here: \(error)"
    }
  }()

  /// Makes an image of an empty ext4 file system.
  ///
  /// - Parameter options: Options of mkfs.ext4.
  static func makeImage(options: String = "") throws -> Data {
    let folder = try TemporaryFolder()
    try run("truncate -s 4M image && mkfs.ext4 -q -F -b 1024 \(options) image", in: folder)
    return try folder.data("image")
  }

  /// A command that failed.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }
}
