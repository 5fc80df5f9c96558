#if Etcd
  import Foundation

  /// What the process uses.
  enum ProcessUsage {
    /// The memory that is in use, in KiB.
    static var residentKilobytes: Int {
      let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
      return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// The number of open files.
    static var descriptors: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    }
  }
#endif
