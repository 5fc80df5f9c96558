internal import FileStorage
internal import FoundationEssentials
internal import Glibc
package import PropertyList

/// Standard output of a command that prints changes as they happen, on any thread.
package enum ChangeOutput {
  /// Prints a change of a key immediately, with a dash for a missing value. Ends the process if the
  /// output is closed.
  package static func print(
    _ key: String, from old: PlistValue?, to new: PlistValue?, after prefix: String = "",
    of tool: String
  ) {
    let values = [old, new].map { $0?.textOnOneLine ?? "-" }.joined(separator: " -> ")
    let line = "\(prefix)\(PlistValue.string(key).textOnOneLine): \(values)\n"
    do throws(FileSystemError) {
      try Descriptor.standardOutput.writeAll(Data(line.utf8))
    } catch {
      if error.code == EPIPE {
        signal(SIGPIPE, SIG_DFL)
        // Signals may be blocked on this thread. The process ends as any program does whose output
        // is closed.
        kill(getpid(), SIGPIPE)
        while true { pause() }
      }
      let session = Session(tool: tool)
      session.report("standard output: \(error)")
      _exit(session.finish())
    }
  }
}

extension PlistValue {
  /// The value on one line, as printed within a container.
  var textOnOneLine: String {
    // Line breaks in strings are escaped, so lines end only within containers. An opening bracket
    // ends its line, after spaces that align it.
    let lines = PlistValue.array([self]).description.split(separator: "\n").dropFirst().dropLast()
    return lines.map { line in
      let words = line.trimmingPrefix { $0 == " " }
      guard let opening = words.last, opening == "(" || opening == "{" else { return String(words) }
      let before = words.dropLast().reversed().drop { $0 == " " }.reversed()
      return String(before) + (before.isEmpty ? "" : " ") + String(opening)
    }.joined(separator: " ")
  }
}
