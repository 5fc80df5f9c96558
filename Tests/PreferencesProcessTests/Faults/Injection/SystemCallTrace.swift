import Foundation
import TestSupport
import Testing

/// The system calls of a program that was run under strace.
struct SystemCallTrace: Sendable {
  /// A system call.
  struct Call: Sendable {
    var thread: Int
    var name: String
    /// The arguments as strace prints them.
    var arguments: String
    /// The result of the call, as strace prints it; nil if the program ended before.
    var result: String?
    /// The position among the calls of this name in its thread, from 1 on.
    var number: Int
  }

  private(set) var calls: [Call] = []

  /// Parses the output of `strace -f`.
  init(_ text: String) {
    var unfinished: [Int: String] = [:]
    var counts: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      guard let space = line.firstIndex(of: " "), let thread = Int(line[..<space]) else { continue }
      var rest = String(line[space...].drop { $0 == " " })
      if rest.hasPrefix("<... "), let end = rest.firstRange(of: " resumed>") {
        rest = (unfinished.removeValue(forKey: thread) ?? "") + rest[end.upperBound...]
      } else if rest.hasSuffix(" <unfinished ...>") {
        unfinished[thread] = String(rest.dropLast(" <unfinished ...>".count))
        continue
      }
      add(rest, thread, &counts)
    }
    for (thread, rest) in unfinished { add(rest, thread, &counts) }
  }

  private mutating func add(_ text: String, _ thread: Int, _ counts: inout [String: Int]) {
    guard let opening = text.firstIndex(of: "("), text.first?.isLetter == true else { return }
    let name = String(text[..<opening])
    let equals = text.ranges(of: "= ").last { $0.lowerBound > opening }
    let arguments = text[text.index(after: opening)..<(equals?.lowerBound ?? text.endIndex)]
    counts["\(thread) \(name)", default: 0] += 1
    calls.append(
      Call(
        thread: thread, name: name, arguments: String(arguments),
        result: equals.map { String(text[$0.upperBound...]) },
        number: counts["\(thread) \(name)"]!))
  }

  /// Why system calls cannot be traced here; nil if they can.
  static let obstacle: String? = {
    guard let folder = try? TemporaryFolder() else { return "no temporary folder" }
    let run = try? BuiltProgram("plutil").run(
      "/usr/bin/env", ["strace", "-o", "/dev/null", "true"], in: folder)
    guard let run else { return "nothing can be run" }
    return run.status == 0 ? nil : "strace does not work here: \(run.error)"
  }()
}
