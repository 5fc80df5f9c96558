import Foundation

/// What the measurements depend on beside the code.
enum Machine {
  /// Whether the code is not optimized.
  static let isDebugBuild: Bool = {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    return isDebug
  }()

  /// Lines that tell of the machine and the build.
  static var lines: [String] {
    [
      "processor    \(processor), \(cores) cores",
      "load         \(load)",
      "kernel       \(kernel)",
      "compiler     Swift \(compiler)",
      "build        \(isDebugBuild ? "debug: the times tell nothing" : "release")",
    ]
  }

  /// How many processors there are for this process.
  static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

  static var kernel: String { contents("/proc/sys/kernel/osrelease") }

  static var load: String {
    contents("/proc/loadavg").split(separator: " ").prefix(3).joined(separator: " ")
  }

  static var processor: String {
    for line in contents("/proc/cpuinfo").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].hasPrefix("model name") {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return "of an unknown model"
  }

  static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "before 6.3"
    #endif
  }

  /// The type of the file system that a folder lies on.
  static func fileSystem(of folder: String) -> String {
    var best = (point: "", type: "unknown")
    for line in contents("/proc/self/mounts").split(separator: "\n") {
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count > 2, fields[1].count >= best.point.count else { continue }
      let isAbove = fields[1] == "/" || (folder + "/").hasPrefix(fields[1] + "/")
      if isAbove { best = (fields[1], fields[2]) }
    }
    return best.type
  }

  /// Whether what is written to a folder never reaches a disk.
  static func isInMemory(_ folder: String) -> Bool {
    ["tmpfs", "ramfs"].contains(fileSystem(of: folder))
  }

  /// What a file of the kernel's says, without white space at its ends; empty where it is not there.
  ///
  /// Such files have no size and are read piece by piece, which Foundation does not do.
  static func contents(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(file, &piece, piece.count), count > 0 { bytes += piece[..<count] }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
