internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// `plutil`: checks, prints, converts, changes and compares property lists.
package enum Plutil {
  /// Runs the tool with the process's command line and standard streams.
  ///
  /// - Returns: The exit status: 0, or 1 if anything failed; `-diff` has the exit statuses of
  ///   `diff`.
  package static func run() -> Int32 { table.run() }

  /// The exit status for a failure of `-diff`, `-find`, `-patch` and `-merge`, where 1 has a
  /// different meaning, as in `diff` and `grep`.
  static let troubleStatus: Int32 = 2
}

/// A line of a file that `-patch` or `-set` reads.
struct TextLine {
  let file: String
  let number: Int
  let text: String

  var object: PlistDictionary {
    get throws {
      let value: PlistValue
      do throws(PlistError) {
        value = try Plist.read(Data(text.utf8), as: .json).value
      } catch {
        throw CommandFailure("expected a JSON object: \(error.kind)")
      }
      guard case .dictionary(let object) = value else {
        throw CommandFailure("expected a JSON object")
      }
      return object
    }
  }
}

extension Plutil {
  /// Reads the lines of the file that is a verb's argument, without empty ones; nil after a report that
  /// it cannot be read.
  static func lines(
    of invocation: Invocation, in session: Session
  ) throws(UsageError) -> [TextLine]? {
    let input = InputFile(operand: invocation.arguments[0])
    guard !input.isStandardInput || !invocation.operands.contains("-") else {
      throw UsageError("standard input can only be read once")
    }
    guard let data = input.readData(in: session) else { return nil }
    var lines: [TextLine] = []
    let texts = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in texts.enumerated() {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        session.report("line \(index + 1): the text is not UTF-8", about: input.name)
        return nil
      }
      guard !text.isEmpty else { continue }
      lines.append(TextLine(file: input.name, number: index + 1, text: text))
    }
    return lines
  }
}

extension CommandLineTool.Option {
  static let silent = Self(
    "-s", "Be quiet: print only requested values and errors")
  static let output = Self(
    "-o path", "Write the result to this path, or to standard output for -", completion: .files)
  static let ending = Self(
    "-e extension", "Write the result beside the input, with this extension")
  static let readable = Self("-r", "Pretty-print JSON")
  static let noNewline = Self(
    "-n", "Omit the newline at the end of raw values, types and edited JSON")
  static let reformat = Self(
    "--reformat", "Write the whole file in the usual layout, without comments and in UTF-8")
  static let lossy = Self(
    "--lossy",
    """
    Convert values that json and openstep cannot represent to strings: dates in ISO 8601, data in base64, \
    and in openstep also numbers and booleans
    """)
  static let header = Self(
    "-header", "With objc, also write a header file beside the source")
  static let append = Self(
    "-append", "Append the value to the array at the key path")
  static let expected = Self(
    "-expect type", "Fail unless the value is of this type", completion: .words(ValueType.names))
  static let at = Self("-at keypath", "Print only the value at this key path")
  static let depth = Self(
    "-depth levels", "Print the contents of containers only down to this number of levels")
  static let lines = Self(
    "-lines", "Print the line number before each key or element of a text format")
  static let full = Self("-full", "Print all bytes of data")
  static let expand = Self(
    "-expand", "Print data that is itself a property list as one")
  static let graph = Self(
    "-graph", "Print the objects in a keyed archive")
  static let typed = Self(
    "--typed", "In JSON, keep the types of values for which JSON has no type")
  static let label = Self(
    "--label name",
    """
    Print this name for a file: with -merge for the second, as a merge driver passes it in %P; with -diff \
    for the first and, if given again, the second
    """, repeats: true)
  static let takeOurs = Self(
    "--ours", "For conflicts, take the values of the second file")
  static let takeTheirs = Self(
    "--theirs", "For conflicts, take the values of the third file")
  static let allFiles = Self("--all", "Include files that Git ignores")
  static let comparing = Self(
    "--compare", "Show two files side by side with their differences")
  static let json = Self(
    "--json", "Print machine-readable JSON, one object per line")
  static let strict = Self(
    "--strict", "Treat warnings, and JSON in a .plist file, as errors")
  static let github = Self(
    "--github", "Print GitHub workflow commands, which annotate the lines of a pull request")
  static let manifest = Self(
    "--manifest path", "Use this preference manifest, or the manifests in this folder",
    completion: .files, repeats: true)
  static let programVersion = Self(
    "--program-version version",
    "With --manifest, warn about keys that this version of the program does not read")
  static let form = Self(
    "--as form", "Edit the property list in this form: \(TextForm.names.alternatives)",
    completion: .words(TextForm.names))
  static let onlyKeys = Self("--keys", "Search keys only")
  static let onlyValues = Self("--values", "Search values only")
  static let onlyType = Self(
    "--type type", "Find only values of this type", completion: .words(ValueType.allNames))
}

/// The verbs and options of plutil.
extension Plutil {
  static let table = CommandLineTool(
    name: "plutil", summary: "check, print, convert, edit and compare property lists",
    options: ReadingOptions.all,
    verbs: examiningVerbs + editingVerbs + comparingVerbs,
    defaultVerb: "-lint", notes: notes, sections: [differences],
    related: ["PlistBuddy", "defaults"])

  private static let notes = """
    The file - is standard input, or standard output for -create. The format of an input, XML, binary, \
    OpenStep or JSON, is detected from its content.
    Only the input of a command that works in place, and files that -o or -e names, are ever replaced. Binary \
    output is not written to a terminal, unless -o - requests it.
    Devices, pipes and open descriptors such as /dev/stdout or /dev/fd/3 are written to directly, as when \
    appending to a log, and never replaced. A command that works in place needs -o to read from one.
    Key paths | A key path consists of keys and array indices, which count from 0, separated by dots: Names.0 \
    is the first element of Names. \\. is a dot in a key. The empty key path is the whole property list.
    A value that a format cannot represent, such as a date in json, is an error, and the file is left \
    unchanged. So is text that would exceed both 16 MiB and 32 times the size in binary.
    Raw values | \(rawDetails)
    Source code | \(sourceDetails)
    Exit status | The exit status is 0 on success and 1 on failure; -find, -diff, -patch and -merge have their \
    own (see their help).
    """

  static let sourceDetails = """
    swift and objc write source code with a constant that is named after the input, in files beside the \
    input unless -o or -e is given. For Info.plist, swift writes Info.swift with let Info = [...]. objc \
    writes Info.m, which needs automatic reference counting, and with -header Info.h, which declares \
    extern NSDictionary * const Info.
    """
  static let rawDetails = """
    raw is the value without quotes or markup: a string unchanged, a boolean as true or false, data as \
    base64, a date in UTC such as 2024-01-31T23:59:59Z, a dictionary as its keys, one per line, and an \
    array as the number of its elements.
    """
  static let textDetails = """
    In XML, JSON and OpenStep text, only the value is written, in the layout of its neighbors: \
    comments, the order of keys, the encoding and everything else stay. If the keys are sorted, a \
    new key is inserted in order, and otherwise last. Removing a value also removes the comments \
    directly above it and after it on its line. If a key appears twice, the last value is changed, \
    and both are removed. If a text cannot be kept, a warning says so. --reformat, and for JSON also \
    -r, writes the whole file as -convert does.
    """
  static let folderDetails = """
    In a folder and its subfolders, property lists are files with an extension such as plist or \
    strings, and files that begin like XML or binary property lists. In a Git checkout, ignored \
    files are left out unless --all is given. Symbolic links are not followed.
    """
  static let keyPath = CommandLineTool.Argument(
    "keypath",
    "The path of a value: keys and array indices, separated by dots, such as Names.0")

  static let file = CommandLineTool.Argument(
    "file", "A property list, such as Info.plist; - is standard input")
  static let files = CommandLineTool.Operands(
    "file", count: 1...Int.max, arguments: [file])
  static let filesAndFolders = CommandLineTool.Operands(
    "file", count: 1...Int.max,
    arguments: [
      .init("file", "A property list, such as Info.plist, or a folder; - is standard input")
    ])
  static let placing: [CommandLineTool.Option] = [.silent, .output, .ending]
  /// The options of verbs that write, for the layout of the result.
  static let layout: [CommandLineTool.Option] = [.readable, .noNewline, .lossy]
  /// The options of verbs that change a value, for the layout of the result.
  static let editing = layout + [.reformat]
}
