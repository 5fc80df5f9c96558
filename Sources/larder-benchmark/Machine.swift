import Foundation

/// What the measurements depend on beside the code.
enum Machine {
  /// Whether the code is not optimised.
  static let isDebugBuild: Bool = {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    return isDebug
  }()

  /// Lines that tell of the machine, the build and the file system of a folder.
  static func description(folder: String) -> [String] {
    [
      "processor    \(processor), \(cores) cores",
      "load         \(load)",
      "kernel       \(contents("/proc/sys/kernel/osrelease"))",
      "file system  \(fileSystem(of: folder)) at \(folder)",
      "compiler     Swift \(compiler)",
      "build        \(isDebugBuild ? "debug: the times tell nothing" : "release")",
    ]
  }

  /// How many processors there are for this process.
  static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

  private static var load: String {
    contents("/proc/loadavg").split(separator: " ").prefix(3).joined(separator: " ")
  }

  private static var processor: String {
    for line in contents("/proc/cpuinfo").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].hasPrefix("model name") {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return "of an unknown model"
  }

  private static var compiler: String {
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

  private static func contents(_ path: String) -> String {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
