package import CommandLineInterface
internal import FileStorage
internal import Glibc
internal import PropertyList

/// `PlistBuddy`: edits a property list by commands.
package enum PlistBuddyTool {
  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, or 1 if anything failed.
  package static func run() -> Int32 { table.run() }

  /// Runs the commands given with `-c`, or read from standard input.
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

extension PlistBuddyTool {
  package enum Option {
    package static let command = CommandLineTool.Option(
      "-c command", "Run a command instead of prompting for commands; may be repeated",
      repeats: true)
    package static let xml = CommandLineTool.Option("-x", "Print values as XML property lists")
    package static let noLinks = CommandLineTool.Option(
      "-l", "Fail if the path of the file contains a symbolic link")
  }

  package static let table = CommandLineTool(
    name: "PlistBuddy", summary: "print and edit property lists with commands",
    verbs: [
      .init(
        "", options: [Option.command, Option.xml, Option.noLinks] + ReadingOptions.all,
        operands: .init("file", count: 1...1),
        """
        Edit a property list
        $ PlistBuddy -c 'Print :Label' job.plist  # Print the value of a key
        $ PlistBuddy -c 'Delete :Label' -c 'Add :Label string org.example.job' job.plist  # Replace the value \
        of a key, whatever its type; if there is none, Delete fails and Add still runs
        $ PlistBuddy -c Clear job.plist  # Empty a property list, or create one
        $ PlistBuddy job.plist  # Prompt for commands
        """, action: edit)
    ],
    defaultVerb: "", notes: notes, sections: guideSections + [differences],
    related: ["plutil", "defaults"])

  /// The guide to the commands, which `Help` prints.
  static var guide: String { CommandLineTool.help(of: guideSections) }

  private static let notes = """
    Without -c, commands are read from standard input, one per line, after the prompt "Command: ", and only \
    Save writes the file. With -c, all commands are parsed before the first one runs; if one is malformed, \
    none runs. The file is read once, and written once, at the end, if it has changed or if one of the \
    commands is Save. If a command fails, the others still run.
    A file that does not exist is created, as XML, by the first change or by Save. An existing file keeps its \
    format and its permissions, but not its comments, and its keys are written in sorted order, also by Save \
    alone; use plutil -replace to keep them. A pipe or /dev/stdin can be printed with -c, but not changed. So \
    can the property list in a signed message (CMS), such as a profile, whose signature is not checked, and in \
    an executable for Apple's systems (Mach-O).
    Exit status | The exit status is 0, or 1 if a command was malformed or failed, if the file could not be \
    read or written, or if standard input ended before changes were saved.
    """

  private static let guideSections: [CommandLineTool.Section] = [
    .init(
      "Commands",
      """
      The names of commands and types are not case-sensitive.
      \(commands.map(term).joined(separator: "\n"))
      """),
    .init(
      "Entries",
      """
      An entry is a path of keys and of array indices, which count from 0, with a colon before each: \
      :CFBundleDocumentTypes:2:CFBundleTypeName. A colon alone is the root. An entry without a leading colon \
      starts at the working container, which is the root unless CD has chosen another.
      To append to an array, end the entry with a colon: Add :Tags: string new. For a colon in a key, type \
      \\:. A backslash alone is the empty key.
      """),
    .init(
      "Types",
      """
      Without a value, a container, a string or data is empty, a number is 0, and a bool is false. A date \
      needs a value.
      string | Text | Add :Name string Jane Doe
      array, dict | A container; it takes no value | Add :Tags array
      bool | true, false, yes, no, 1 or 0 | Add :RunAtLoad bool true
      real | A floating-point number | Add :Ratio real 1.5
      integer | A whole number, in decimal, or in hexadecimal after 0x | Add :Nice integer 5
      date | A date in UTC, as Print shows it or as in XML | Add :When date 2024-01-01T00:00:00Z
      data | The bytes of a text; see also Import | Add :Key data abc
      """),
    .init(
      "Words and values",
      """
      Words are separated by spaces. A word that contains spaces needs single or double quotes, which may \
      enclose quotes of the other kind. A backslash makes the next character literal, inside and outside of \
      quotes: Don\\'t is the same as "Don't". The exceptions are \\n, a line feed, and \\t, a tab. A value \
      extends to the end of the command, so its spaces need no quotes.
      """),
    .init(
      "Output",
      """
      Print shows entries in the order of the file, dates in UTC, and reals with six digits after the decimal \
      point, or with as many as needed to be exact. Strings and data are printed unchanged; on a terminal, \
      data is shown as text, and control characters in the form \\u{1b}.
      """),
  ]

  private static func term(_ command: EditCommand) -> String {
    let aliases = command.aliases.isEmpty ? "" : " (also: \(command.aliases.alternatives))"
    let parts = [command.forms[0], command.summary + aliases, command.examples.first?.command]
    return parts.compactMap(\.self).joined(separator: " | ")
  }
}
