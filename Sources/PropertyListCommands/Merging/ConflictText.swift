internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The contents of a file with conflicts, which no reader takes for a property list.
struct ConflictText {
  /// The marks of git, each on a line of its own.
  private enum Mark {
    static let ours = "<<<<<<< ours"
    static let separator = "======="
    static let theirs = ">>>>>>> theirs"
  }

  /// The merged text in a text format, with both sides' lines between marks where they differ.
  ///
  /// - Parameters:
  ///   - ours: The merged document with our values where there are conflicts.
  ///   - theirs: The same with their values.
  ///   - isReadable: Whether bytes can be read as a property list.
  static func merged(ours: Data, theirs: Data, isReadable: (Data) -> Bool) -> Data {
    let marked = Data(lines(ours, theirs).joined().utf8)
    // A mark inside of a string of several lines would be part of the string.
    return isReadable(marked) ? whole(ours: ours, theirs: theirs) : marked
  }

  /// Both files as a whole, one after the other.
  static func whole(ours: Data, theirs: Data) -> Data {
    var text = Data((Mark.ours + "\n").utf8)
    for (contents, mark) in [(ours, Mark.separator), (theirs, Mark.theirs)] {
      text += contents
      if contents.last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
      text += Data((mark + "\n").utf8)
    }
    return text
  }

  /// A list of the conflicts between marks, followed by the merged document with our values.
  static func list(_ conflicts: [PlistMerge.Conflict], before ours: Data) -> Data {
    var text = Mark.ours + "\n"
    for conflict in conflicts { text += lines("-", conflict.path, conflict.ours) }
    text += Mark.separator + "\n"
    for conflict in conflicts { text += lines("+", conflict.path, conflict.theirs) }
    text += Mark.theirs + "\n"
    return Data(text.utf8) + ours
  }

  /// The lines of all values in one, or the line that there is none.
  private static func lines(_ sign: String, _ path: PlistKeyPath, _ value: PlistValue?) -> String {
    guard let value else { return "\(sign) \("\(path)".onOneLine) (removed)\n" }
    var lines = ""
    PlistTreeComparison.compare(value, with: nil) { difference in
      let path = PlistKeyPath(components: path.components + difference.path.components)
      let text = difference.value.exactLeafText
      lines += "\(sign) \("\(path)".onOneLine): \(text)\n"
    }
    return lines
  }

  /// The lines of two documents, with marks where they differ.
  private static func lines(_ ours: Data, _ theirs: Data) -> [String] {
    let (old, new) = (lines(of: ours), lines(of: theirs))
    let alignment = ArrayAlignment(of: old.map(PlistValue.string), with: new.map(PlistValue.string))
    var lines: [String] = []
    var position = 0
    for change in alignment.changes {
      lines += old[position..<change.first.lowerBound]
      lines.append(Mark.ours + "\n")
      lines += old[change.first]
      lines.append(Mark.separator + "\n")
      lines += new[change.second]
      lines.append(Mark.theirs + "\n")
      position = change.first.upperBound
    }
    return lines + old[position...]
  }

  /// The lines with their line feeds, also after the last.
  private static func lines(of text: Data) -> [String] {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { String(decoding: $0, as: UTF8.self) + "\n" }
  }
}
