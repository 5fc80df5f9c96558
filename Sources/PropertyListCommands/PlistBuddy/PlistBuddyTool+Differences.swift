internal import CommandLineInterface

extension PlistBuddyTool {
  /// All differences from Apple's PlistBuddy, each with its reason.
  static let differences = CommandLineTool.Section(
    "Differences from Apple's PlistBuddy",
    [
      """
      Commands, aliases, types, entries, notices and errors are the same, on the same streams: \
      notices, prompts and syntax errors on standard output, errors about entries and other files on \
      standard error. The following differs.
      """
    ],
    terms: [
      .init(
        "Formats",
        """
        A file keeps its format, because the programs that read it may expect that. Apple's rewrites \
        every file as XML. A value that the format cannot represent is an error
        """),
      .init(
        "Writing",
        """
        The commands of -c write the file once, after the last one, atomically and under a lock, and \
        only if something has changed, so that no other program sees or loses half of the changes. \
        Apple's writes at each Save, and at the end even if all commands have failed. Without -c, \
        Save does not overwrite what another program has written in the meantime
        """),
      .init(
        "Exit status",
        """
        The exit status is also 1 for a malformed value, for a malformed command on standard input, \
        for a file that cannot be written, and for an end of input with unsaved changes, so that \
        scripts notice; Apple's is 0. After -h it is 0, because asking for help is no failure
        """),
      .init(
        "Explanations",
        #"""
        Where Apple's prints only a notice, such as "Unrecognized Command" or "Error Reading File: \#
        f", a line on standard error says why. Before "Merge: Error Reading File: f", another line \#
        gives the reason. Errors in the options or the file argument are one line on standard error, \#
        not "Invalid Arguments" or the usage on standard output
        """#),
      .init(
        "Notices",
        #"""
        If a command does not parse, "File Doesn't Exist, Will Create" is not printed, because no file \#
        will be created. Clear without a type does not complain with "Unrecognized Type: ", because \#
        the type is optional
        """#),
      .init(
        "Help",
        "The guide also explains arguments, aliases, CD and escapes, which Apple's does not mention"
      ),
      .init(
        "Numbers and bools",
        """
        A value that is not of its type is an error: text after a number, a number that does not \
        fit, a bool other than the six words. Apple's stores what it can make of the text, such as \
        12 for 12x, or false for on, which loses data silently. Integers may be hexadecimal
        """),
      .init(
        "Reals",
        """
        Reals keep double precision, and are printed with more than six digits where six would not be \
        exact. Apple's rounds them to single precision
        """),
      .init(
        "Dates",
        """
        Dates are read and printed in UTC, so that the result does not depend on the computer, and \
        also read in the format of XML. Apple's uses the local time zone
        """),
      .init(
        "Order",
        """
        Print shows the keys of a dictionary in the order of the file. Apple's shows them in no \
        particular order
        """),
      .init(
        "Commands",
        """
        The name of a command is a whole word, so that Settings is a typing error; Apple's takes it \
        as Set. Words too many are errors, because an entry with spaces that is not quoted would \
        name another one; Apple's ignores them. Spaces before a command are allowed. CD without an \
        entry goes to the root
        """),
      .init(
        "Quotes and backslashes",
        #"""
        Quotes of one kind keep those of the other, so that a value may be JSON or "Don't". Apple's \#
        removes all quotes, and takes an apostrophe within double quotes for an unclosed one. A \#
        backslash at the end of a command stands for itself, and spaces at the end are dropped \#
        unless they are quoted
        """#),
      .init(
        "Empty values",
        "Quotes without text between them are an empty value, which Apple's takes for none"),
      .init(
        "Indices",
        """
        In an array, a key that is not a decimal index is an error; Apple's takes it as 0. Delete with \
        a colon at the end is an error; Apple's deletes the first element of the array. Delete of the \
        root is an error, because Clear is clearer
        """),
      .init(
        "Empty keys",
        #"""
        The empty key is written as a backslash, because a forgotten key is more likely than an empty \#
        one. Apple's adds it after a colon at the end, and then cannot address it
        """#),
      .init(
        "Import",
        """
        The bytes of the file always become data, so that none is lost; Apple's converts them to the \
        type of an existing entry. A colon at the end appends them to an array
        """),
      .init(
        "Merge",
        """
        A single value cannot be merged into a dictionary; Apple's stores it with an empty key. -r, \
        which Apple's accepts as well, is part of the guide
        """),
      .init(
        "Working container",
        """
        It also becomes the root when a container around it is deleted, and stays the same when \
        elements before it are added or deleted
        """),
      .init(
        "Options",
        """
        Options of one letter can be combined, as in -xc, which Apple's manual page suggests but the \
        program rejects. --, --help, --version, --manual and --completion are those of other Linux \
        programs
        """),
      .init(
        "Terminals",
        """
        Control characters are escaped, so that a value cannot control the terminal. With libedit, \
        lines can be edited, recalled and completed
        """),
      .init(
        "Limits",
        """
        Files have at most 512 levels and 2 GiB, and a line of standard input 1 MiB, so that no input \
        exhausts memory; Apple's cuts lines off after 511 bytes
        """),
    ],
    isInHelp: false)
}
