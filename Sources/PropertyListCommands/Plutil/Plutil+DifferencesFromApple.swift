internal import CommandLineInterface

extension Plutil {
  /// All differences from the plutil of Apple and of the Swift toolchain, each with its reason.
  static let differences = CommandLineTool.Section(
    "Differences from Apple's plutil", isInHelp: false,
    #"""
    On success, plutil prints and writes the same as Apple's plutil and the Swift toolchain's. \#
    The differences, with their reasons:
    Existing files | Are kept: Apple's -convert swift and objc, -create and -header overwrite \#
    files in the way, and so could destroy source code
    -extract without -o | Prints the value. Apple's replaces the input with the extracted part \#
    unless the format is raw, which loses the rest
    Several results | Are an error if they would overwrite one another or follow one another on \#
    standard output. Apple's keeps the last one, or writes output that nothing can read
    Standard input | The result goes to standard output. Apple's writes a file named <stdin>, the \#
    toolchain's one named -
    -e | Adds the extension to a name without one, and also applies to swift and objc. The \#
    toolchain's overwrites such an input, and ignores the option for source code
    Terminals | Binary output needs -o -, because it can garble the screen. -p shows colors
    Replacing files | A file is replaced as a whole, under a lock, with its permissions, and \#
    through symbolic links, so that neither a crash nor another process loses data. A file that \#
    already has the result is not written
    Comments and layout | Stay when a value is inserted, replaced or removed, as do the order of \#
    keys and the encoding. Apple's writes the whole file. A container that becomes empty keeps its \#
    two tags
    Errors | Have the line or byte and the key path, but never values, which may be secret. Errors \#
    of -lint go to standard output, as with Apple's. Others go to standard error, as with the \#
    toolchain's, so that version=$(plutil -extract ...) never contains a message instead of a \#
    value: missing files, missing key paths, and files that cannot be read. Apple's prints these \#
    to standard output. For a malformed command line, one line is printed, not the whole help
    Missing key paths | The message also says how much of the key path exists
    Warnings | Input that is valid but odd, such as a repeated key, and losses, such as the \#
    fraction of a second, cause a warning on standard error unless -s is given; Apple's prints \#
    none
    -lint | Accepts JSON, as all other commands do, including Apple's. Its errors go to standard \#
    output, even with -s; the toolchain's go to standard error
    -p with -s | -s is accepted, because it does no harm. Apple's prints that it does not make a \#
    lot of sense
    Strings in -p | Quotes, backslashes and control characters are escaped, so that a string of \#
    several lines cannot look like other keys, and no string can control the terminal. Apple's \#
    and the toolchain's print them unchanged. -extract with raw prints the exact text
    Data in -p | All bytes that are printed have two digits. The toolchain's drops zeros and, from \#
    25 bytes, every other byte
    Sets, UIDs and null | Can be printed, and UIDs be read from XML and written, because keyed \#
    archives have them. The toolchain's crashes or prints addresses
    Executables and signed files | All commands read a property list inside a Mach-O executable or \#
    a signed message, with a note on standard error; Apple's reads only an executable's, with -p
    Order of keys | Human-readable output and source code use Apple's order: regardless of case, \#
    and with numbers by value. Letters beyond ASCII follow the ASCII letters by code point, which \#
    needs no tables. JSON without -r is sorted by code unit, and is the same in every run
    Keys | Keys are compared by their bytes, so that composed and decomposed letters are different \#
    keys; the toolchain's merges them and loses one
    Reals | Raw values and source code have six decimals where these are exact, and otherwise as \#
    many digits as the number needs, so that 1e-10 does not become 0.000000. XML has the fewest \#
    digits that yield the same number, 0.1 and not 0.10000000000000001. In JSON a real without a \#
    fraction stays a real: 1.0
    XML | -0.0 keeps its sign, and a carriage return is written as &#13;, because XML parsers read \#
    a bare one as a line feed
    JSON | A property list that is not a container can also be written as JSON. A file keeps its \#
    layout when it is edited, with or without a newline at the end
    OpenStep | Can be written, and is kept by -insert, -replace and -remove; Apple's cannot edit \#
    such files
    Source code in Swift | Compiles without warnings in all language modes: it imports Foundation \#
    where it needs to, declares types that are not inferred, has nonisolated(unsafe) where Swift 6 \#
    requires it, and escapes all strings. Data is in base64, which compiles faster than a list of \#
    bytes
    Source code in Objective-C | The header file is Apple's. The source sets the constant before \#
    main, because only some compilers accept containers as constant expressions, and none accepts \#
    dates and data; it therefore also supports dates and data, does not include the header file, \#
    and does not need one
    Names of constants | Characters that identifiers do not allow become underscores, and keywords \#
    get one appended; Apple's source does not compile in such cases
    Formats | -extract and -create write source code, as -convert does, and the code of -create \#
    compiles. -create does not write raw
    Malformed values | Are an error. Apple's stores 0 for -integer five, and NO for any -bool \#
    that is not yes or true. -bool also takes yes, no, 1 and 0, and -integer takes 0x and \#
    hexadecimal digits
    -replace of an element | Replaces it. Apple's inserts the value before it
    -append | Is an error with -replace, where Apple's ignores it, and if the key path leads to a \#
    non-array value
    Key paths | The empty key path is the whole property list, not an empty key. Operators of \#
    key-value coding, such as @count, are ordinary keys
    Folders | -lint and other commands also take folders, which are an error in Apple's
    Order of words | Options may be anywhere after the command, and -- ends them in all commands. \#
    The toolchain's treats words after -- as options
    Other commands | -edit, -find, -set, -info, -inspect, -diff, -textconv, -patch, -merge, -at, -depth, \#
    -lines, -full, -expand, -graph and the options that begin with two dashes, such as --lossy, \#
    have no counterpart, nor do several edits or several -extract in one call and * in a key path
    """#)
}
