internal import CommandLineInterface

extension PlistBuddyTool {
  /// All differences from Apple's PlistBuddy, each with its reason.
  static let differences = CommandLineTool.Section(
    "Differences from Apple's PlistBuddy", isInHelp: false,
    #"""
    Commands, aliases, types, entries, notices and errors are the same as those of Apple's \#
    PlistBuddy. So are the streams: notices, prompts and syntax errors go to standard output, \#
    errors about entries and other files to standard error. These are the differences:
    Formats | A file keeps its format, because the programs that read it may expect that. Apple's \#
    rewrites every file as XML. A value that the format cannot represent is an error
    Writing | The commands of -c write the file once, after the last one, atomically and under a \#
    lock, and only if its bytes change, so that no other program sees or loses half of the \#
    changes. Apple's writes at each Save, and at the end even if all commands have failed. Without \#
    -c, Save does not overwrite what another program has written in the meantime
    Exit status | The exit status is also 1 for a malformed value, for a malformed command on \#
    standard input, for a file that cannot be written, and for an end of input with unsaved \#
    changes, so that scripts notice; Apple's is 0. After -h it is 0, because asking for help is \#
    not a failure
    Explanations | Where Apple's prints only "Unrecognized Command", "Unrecognized Type", "Error \#
    Reading File" or the like, another line on standard error gives the reason. Errors in the \#
    options or the file argument are one line on standard error that says what is wrong, instead \#
    of "Invalid Arguments" or the usage on standard output
    Notices | If a command does not parse, "File Doesn't Exist, Will Create" is not printed, \#
    because no file will be created. Clear without a type does not complain with "Unrecognized \#
    Type: ", because the type is optional
    Help | The guide also explains arguments, aliases, CD and escapes, which Apple's does not \#
    mention
    Numbers and bools | A value that does not have its type is an error: text after a number, a \#
    number that does not fit, or a bool other than the six words. Apple's stores as much as it \#
    understands, such as 12 for 12x, or false for on, so that data is lost silently. Integers may \#
    be hexadecimal
    Reals | Reals keep double precision, and are printed with more than six digits where six would \#
    not be exact. Apple's rounds them to single precision
    Dates | Dates are read and printed in UTC, so that the result does not depend on the computer, \#
    and also read in the format of XML. Apple's uses the local time zone
    Order | Print shows the keys of a dictionary in the order of the file. Apple's shows them in \#
    no particular order
    Commands | The name of a command is a whole word, so that a typo such as Settings is an error; \#
    Apple's reads it as Set. Extra words are also errors, because an entry with spaces that lacks \#
    its quotes would name another entry; Apple's ignores them. A command may begin with spaces. CD \#
    without an entry returns to the root
    Quotes and backslashes | Quotes may enclose quotes of the other kind, so that a value can be \#
    JSON or "Don't". Apple's removes all of them, and treats the apostrophe as an unclosed quote. \#
    A backslash at the end of a command is kept, because dropping it would damage the value; \#
    spaces at the end are dropped unless they are quoted, because they are invisible
    Missing words | A command that lacks a word fails with a notice such as "Entry Required for \#
    Set Command", as with older versions of Apple's. Newer versions treat the word as empty, and \#
    thus change the root
    Indices | In an array, a key that is not a decimal index is an error; Apple's reads it as 0. \#
    Delete with a colon at the end is an error; Apple's deletes the first element of the array. \#
    Delete of the root is an error; Clear empties it. In each case, the command is probably a \#
    mistake, and Apple's changes the wrong entry
    Empty keys | A single backslash is the empty key. For a colon at the end, where a key is more \#
    likely missing, Apple's adds the empty key, and cannot address it afterwards
    Import | The bytes of the file always become data, so that none are lost; Apple's converts \#
    them to the type of the existing entry. If the entry ends with a colon, they are appended to \#
    an array
    Pipes | A pipe or /dev/stdin is never written to, because that would not change the file \#
    behind it
    Merge | A file that contains a single value cannot be merged into a dictionary; Apple's stores \#
    the value with an empty key. The option -r, which Apple's also accepts, is documented
    Working container | The root also becomes the working container when a container around the \#
    working container is deleted
    Options | Options of one letter can be combined, as in -xc; Apple's manual page suggests that, \#
    but the program rejects it. --, --version, --manual and --completion are customary on Linux
    Terminals | Control characters are escaped, so that a value cannot control the terminal. If \#
    libedit is installed, lines can be edited, recalled and completed
    Limits | A file may have 2 GiB and 512 levels of containers, and a line of standard input 1 \#
    MiB, so that no input exhausts the memory. Apple's cuts lines off after 511 bytes
    """#)
}
