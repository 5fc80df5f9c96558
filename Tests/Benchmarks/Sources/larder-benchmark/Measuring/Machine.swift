import Foundation

/// The machine and the build that are measured.
enum Machine {
  /// Whether the code is unoptimized.
  static let isDebugBuild: Bool = {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    return isDebug
  }()

  /// A description of the machine and the build, line by line.
  static var lines: [String] {
    [
      "processor    \(processor), \(cores) cores",
      "load         \(load)",
      "kernel       \(kernel)",
      "compiler     Swift \(compiler)",
      "build        \(isDebugBuild ? "debug: times are meaningless" : "release")",
    ]
  }

  /// The number of processors that this process can use.
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
    return "unknown model"
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

  /// Returns the type of the file system of a folder.
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

  /// Returns whether a folder is on a file system in memory.
  static func isInMemory(_ folder: String) -> Bool {
    ["tmpfs", "ramfs"].contains(fileSystem(of: folder))
  }

  /// Returns the text of a file in /proc without surrounding white space; empty if it does not
  /// exist.
  ///
  /// These files report a size of zero, and Foundation would read only that many bytes.
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
