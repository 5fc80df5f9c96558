package import CommandLineInterface

extension PlistBuddyTool {
  package enum Option {
    package static let command = CommandLineTool.Option(
      "-c", argument: "command",
      summary: "Do this command, and those of further -c, instead of asking for commands",
      repeats: true)
    package static let xml = CommandLineTool.Option(
      "-x", summary: "Print values as XML property lists")
  }

  package static let table = CommandLineTool(
    name: "PlistBuddy", summary: "edit a property list by commands",
    verbs: [
      .init(
        "", summary: "Edit a file", options: [Option.command, Option.xml],
        operands: .init("file", count: 1...1),
        examples: [
          .init("PlistBuddy -c 'Print :Label' job.plist", "Print the value of a key"),
          .init(
            "PlistBuddy -c 'Delete :Label' -c 'Add :Label string org.example.job' job.plist",
            "Give a key a value, whether it has one or not"),
          .init("PlistBuddy job.plist", "Ask for commands"),
        ],
        action: edit)
    ],
    defaultVerb: "", notes: notes, related: ["plutil", "defaults"])

  private static let notes = rules + EditCommand.all.map { .init("Commands", $0.help) }

  private static let rules: [CommandLineTool.Note] = [
    """
    Without -c, commands are read from standard input, line by line, and nothing is saved but by Save. \
    With -c, all of them are done on one state of the file, which is written once, at the end, if it \
    has changed; where one fails, the others are done all the same. After Exit no more is done, and \
    only what was changed before a Save is written.
    """,
    #"""
    An entry is a path of keys, and of indices into arrays counted from 0, each behind a colon, such \#
    as :URLTypes:0:Name; \: is a colon within a key. It leads from the root, or from the current entry \#
    where no colon stands before it. An array's end is an empty part, as in Add :List: string last.
    """#,
    """
    Quotes of both sorts keep spaces in a word, and a backslash keeps a quote, a space, a colon or a \
    backslash. A value goes to the end of the command, with the spaces in it; a string or data that is \
    set to none becomes empty.
    """,
    """
    Types are string, array, dict, bool (true, false, yes, no, 1 or 0), real, integer (decimal, or \
    hexadecimal behind 0x), date (Mon Jan 01 00:00:00 UTC 2024 or 2024-01-01T00:00:00Z) and data (the \
    bytes of the text). Without a value they are empty, false or 0; a date needs one.
    """,
    #"""
    Print shows entries in the order of the file and dates in UTC. A real has six digits behind the \#
    point, or as many as it needs where these would change it. To a terminal, control characters are \#
    shown as \u{1b}, and data as text; otherwise strings and data go out as they are.
    """#,
    """
    The file keeps its format and permissions; a new one is XML. Keys are written in order; comments \
    are not kept. What is no file by itself, such as a pipe or /dev/stdin, is not written.
    """,
    .init(
      "Exit status",
      """
      The exit status is 0, or 1 where a command failed, the file could not be read or written, or \
      standard input ended with changes that were not saved.
      """),
    .init("Commands", "The commands, in letters of any case:"),
  ]
}
