internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Preferences
internal import PropertyList

/// `watch`
extension DefaultsTool {
  /// Prints changes as they happen, and never returns.
  func watch(_ key: String?, of domain: DomainArgument) throws(CommandFailure) -> Never {
    PreferencesStore.runtimeConfiguration.watchesFiles = true
    let store = try uncheckedStore(of: domain)
    let observation =
      if let key {
        store.observe(key) { Self.print($0) }
      } else {
        store.observeAll { Self.print($0) }
      }
    // A file that cannot be read now may be repaired while it is watched.
    for problem in store.problems { session.warn(problem) }
    session.note("watching \(store.domain)")
    while true { withExtendedLifetime(observation) { _ = pause() } }
  }

  /// Prints a change immediately. Ends the process if the output is closed.
  private static func print(_ change: PreferencesChange) {
    let line =
      "\(text(.string(change.key))): \(text(change.oldValue)) -> \(text(change.newValue))\n"
    do throws(FileSystemError) {
      try Descriptor.standardOutput.writeAll(Data(line.utf8))
    } catch {
      if error.code == EPIPE {
        signal(SIGPIPE, SIG_DFL)
        // All signals are blocked on this thread. The process ends as any other whose output is
        // closed.
        kill(getpid(), SIGPIPE)
        while true { pause() }
      }
      let session = Session(tool: table.name)
      session.report("standard output: \(error)")
      _exit(session.finish())
    }
  }

  /// A value on one line, as printed within a container; an unquoted dash for nil.
  private static func text(_ value: PlistValue?) -> String {
    guard let value else { return "-" }
    // Line breaks in strings are escaped, so lines end only in containers, whose opening brackets
    // are the last characters of their lines, aligned by spaces.
    let lines = PlistValue.array([value]).description.split(separator: "\n").dropFirst().dropLast()
    return lines.map { line in
      let words = line.trimmingPrefix { $0 == " " }
      guard let opening = words.last, opening == "(" || opening == "{" else { return String(words) }
      let before = words.dropLast().reversed().drop { $0 == " " }.reversed()
      return String(before) + (before.isEmpty ? "" : " ") + String(opening)
    }.joined(separator: " ")
  }
}
