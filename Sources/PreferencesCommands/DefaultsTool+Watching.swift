internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Preferences
internal import PropertyList

/// `watch`
extension DefaultsTool {
  /// Prints changes as they come, and does not return.
  func watch(_ key: String?, of domain: DomainArgument) throws(CommandFailure) -> Never {
    let store = try uncheckedStore(of: domain)
    let observation =
      if let key {
        store.observe(key) { Self.print($0) }
      } else {
        store.observeAll { Self.print($0) }
      }
    // A file that cannot be read now may be mended while it is watched.
    for problem in store.problems { session.warn(problem) }
    session.note("watching \(store.domain)")
    while true { withExtendedLifetime(observation) { _ = pause() } }
  }

  /// Prints a change at once. Where nobody reads any more, that is the end.
  private static func print(_ change: PreferencesChange) {
    let line =
      "\(text(.string(change.key))): \(text(change.oldValue)) -> \(text(change.newValue))\n"
    do throws(FileSystemError) {
      try Descriptor.standardOutput.writeAll(Data(line.utf8))
    } catch {
      if error.code == EPIPE {
        signal(SIGPIPE, SIG_DFL)
        // This thread has all signals blocked; the process ends as others do of which nobody reads.
        kill(getpid(), SIGPIPE)
        while true { pause() }
      }
      let session = Session(tool: table.name)
      session.report("standard output: \(error)")
      _exit(session.finish())
    }
  }

  /// A value on one line, as it stands in a container; a dash for none, which as a string would have
  /// quotes.
  private static func text(_ value: PlistValue?) -> String {
    guard let value else { return "-" }
    // Line breaks within strings are escaped: these are those of containers, which begin at the end of
    // a line, aligned by spaces.
    let lines = PlistValue.array([value]).description.split(separator: "\n").dropFirst().dropLast()
    return lines.map { line in
      let words = line.trimmingPrefix { $0 == " " }
      guard let opening = words.last, opening == "(" || opening == "{" else { return String(words) }
      let before = words.dropLast().reversed().drop { $0 == " " }.reversed()
      return String(before) + (before.isEmpty ? "" : " ") + String(opening)
    }.joined(separator: " ")
  }
}
