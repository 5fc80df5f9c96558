internal import CommandLineInterface
internal import FileStorage
internal import Glibc

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
      throw UsageError("- is no file that can be edited; ./- is the one of that name")
    }
    let commands = invocation.arguments(of: Option.command)
    let printing = PlistEditor.Printing(
      asXML: invocation.has(Option.xml), toTerminal: isatty(STDOUT_FILENO) == 1)
    do throws(FileSystemError) {
      let file = try EditedFile(path)
      if commands.isEmpty {
        InteractiveRun.run(on: file, printing: printing, in: session)
      } else {
        BatchRun.run(commands, on: file, printing: printing, in: session)
      }
    } catch {
      session.report("\(error)", about: path)
    }
  }
}
