internal import CommandLineInterface
internal import FileStorage
internal import Glibc
internal import PropertyList

/// `PlistBuddy`: edits a property list by commands.
package enum PlistBuddyTool {
  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, or 1 if anything failed.
  package static func run() -> Int32 { table.run() }

  /// Runs the commands of `-c`, or those of standard input.
  static func edit(_ invocation: Invocation, in session: Session) throws {
    let path = invocation.operands[0]
    guard path != "-" else {
      throw UsageError(
        "- is not a file; use /dev/stdin to print standard input, or ./- for a file of that name")
    }
    let lines = invocation.arguments(of: Option.command)
    let followsLinks = !invocation.has(Option.noLinks)
    let options = PlistReadOptions(of: invocation)
    let printing = PlistEditor.Printing(
      asXML: invocation.has(Option.xml), toTerminal: isatty(STDOUT_FILENO) == 1)
    do {
      if lines.isEmpty {
        try InteractiveRun.run(
          on: path, followingLinks: followsLinks, options: options, printing: printing, in: session)
      } else {
        try BatchRun.run(
          lines, on: path, followingLinks: followsLinks, options: options, printing: printing,
          in: session)
      }
    } catch let failure as PrintedFailure {
      session.print(failure.notice.onOneLine + "\n")
      session.fail([failure.line])
    } catch let error as FileSystemError {
      session.report("\(error)", about: path)
    }
  }
}
