import Foundation
import Preferences
import PropertyList

/// Measures processes that set and save keys of one file at the same time, compared with processes
/// that do no more than lock, read, write, sync and rename.
enum WriterMeasurements {
  private static let writers = 32

  static func measure(_ workspace: StoreWorkspace, _ findings: inout Findings) throws {
    let keys = workspace.isQuick ? 4 : 12
    let timings = try takeTimes(
      of: [("Larder", "write-keys"), ("system calls", "append-lines")].map { name, verb in
        Contender(name) {
          Terminal.show("writers, \(name)")
          return try time(verb, keys: keys, workspace)
        }
      }, rounds: workspace.isQuick ? 2 : 9)
    findings.addComparison("\(writers) processes with \(keys) keys each", timings) { _ in
      .atMost(1.5)
    } isLimit: { _ in
      true
    }
  }

  /// Runs the writers on a new file.
  ///
  /// - Returns: The nanoseconds from their common start to the end of the last one.
  private static func time(
    _ verb: String, keys: Int, _ workspace: StoreWorkspace
  ) throws -> Double {
    let domain = "org.example.writers.\(verb)"
    unlink(workspace.path(of: domain))
    // Processes that are not ready by then fail.
    let start = Clock.wall.nanoseconds + 2_000_000_000
    let processes = try (0..<writers).map { writer in
      try ChildProcess(
        [verb, workspace.folder, domain, "writer\(writer)", String(keys), String(start)])
    }
    let ends = try processes.map { process in
      Int(try process.waitForOutput().trimmingCharacters(in: .whitespacesAndNewlines)) ?? .max
    }
    let file = try Data(contentsOf: URL(fileURLWithPath: workspace.path(of: domain)))
    let saved =
      verb == "write-keys"
      ? try workspace.savedValues(of: domain).count : file.count { $0 == UInt8(ascii: "\n") }
    try ensure(saved == writers * keys, "\(saved) of \(writers * keys) keys are saved")
    return Double((ends.max() ?? .max) - start)
  }
}

/// The processes that write keys, `<folder> <domain> <prefix> <count> <start>`: they wait for the
/// start, in nanoseconds of the monotonic clock, and print when they have ended.
enum WriterProcess {
  static func larder(_ arguments: [String]) throws -> Int32 {
    try run(arguments) { folder, domain in
      let store = try StoreWorkspace.larder(domain, in: folder)
      _ = store.integer(forKey: "key")
      return { key in
        store.set(1, forKey: key)
        while true {
          do {
            return try store.flush()
          } catch PreferencesError.lockTimeout {
            // Other processes were faster.
          }
        }
      }
    }
  }

  static func systemCalls(_ arguments: [String]) throws -> Int32 {
    try run(arguments) { folder, domain in
      let file = try RawFile(
        "\(domain).plist", in: StoreWorkspace.locations(in: folder).user)
      return { key in
        // As long as the key in a property list.
        try file.append(Data("\t<key>\(key)</key>\t<integer>1</integer>\n".utf8))
      }
    }
  }

  private static func run(
    _ arguments: [String], _ open: (String, String) throws -> (String) throws -> Void
  ) throws -> Int32 {
    guard arguments.count == 5, let count = Int(arguments[3]), let start = Int(arguments[4]) else {
      throw UsageError("a folder, a domain, a prefix, a count and a time are required")
    }
    let write = try open(arguments[0], arguments[1])
    try ensure(Clock.wall.sleep(until: start), "the machine is too slow for a common start")
    for index in 0..<count { try write("\(arguments[2])-\(index)") }
    Terminal.print(String(Clock.wall.nanoseconds))
    return 0
  }
}
