internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Prints values as `plutil -p` does: two spaces a level, keys in natural order, quoted
/// strings.
struct ValuePrinter {
  /// The amount of a value that is printed.
  struct Options {
    /// The number of levels of containers whose contents are printed; nil for all.
    var depth: Int?
    /// Whether the line of each value is printed, for documents that have lines.
    var showsLines = false
    /// Whether all bytes of data are printed.
    var printsWholeData = false
    /// Whether data that is a property list is printed as one.
    var expandsData = false
    /// Whether keyed archives are printed as graphs of objects.
    var printsGraphs = false
  }

  let session: Session
  let options: Options
  /// The number of property lists in data around this one.
  private(set) var nesting = 0
  /// The number of levels by which everything is indented.
  private(set) var indentation = 0

  /// The number of property lists that may be in one another's data.
  private static let maximumNesting = 8

  /// The lines of a document, and where they are looked up.
  struct Lines {
    let lines: PlistLines
    let root: PlistValue
    /// The components of the path to the value that is printed.
    let path: [String]
    /// The number of digits of the last line.
    let width: Int
  }

  /// Prints a value; throws if the text is out of proportion to the value.
  func print(_ value: PlistValue, lines: Lines? = nil) throws(PlistError.Kind) {
    var walk = PlistTreeWalk(value, keyOrder: .natural)
    var allowance = OutputAllowance(for: value)
    var start = session.printedSize
    while let event = walk.next() {
      try allowance.check(session.printedSize - start)
      let line =
        if case .close = event { nil as Int? } else {
          lines.flatMap { $0.lines.line(at: $0.path + walk.components(), in: $0.root) }
        }
      begin(walk.depth, line: line, width: lines?.width)
      switch event {
      case .open(let container):
        printLabel(of: walk)
        if let limit = options.depth, walk.depth >= limit {
          session.print(Self.closedText(of: container) + "\n")
          walk.skipContents()
        } else {
          session.print("\(Self.brackets(of: container.kind).opening)\n")
        }
      case .leaf(let leaf):
        // The root has its label before it.
        if walk.depth > 0 || nesting == 0 { printLabel(of: walk) }
        let before = session.printedSize
        try print(leaf: leaf, depth: walk.depth)
        // Data is as long as it is, and a property list in it has an allowance of its own.
        if case .data = leaf { start += session.printedSize - before }
      case .close(let kind, _): session.print("\(Self.brackets(of: kind).closing)\n")
      }
    }
  }

  /// Prints what comes before everything else on a line.
  func begin(_ depth: Int, line: Int? = nil, width: Int? = nil) {
    if let width {
      let number = line.map(String.init) ?? ""
      session.print(String(repeating: " ", count: max(0, width - number.count)) + number + "  ")
    }
    session.print(String(repeating: "  ", count: indentation + depth))
  }

  /// Prints the key or index before a value.
  private func printLabel(of walk: PlistTreeWalk) {
    if let key = walk.key {
      printKey(key)
    } else if walk.containerKind == .array {
      session.print("\(walk.index) => ")
    }
  }

  func printKey(_ key: String) {
    session.print(Self.quoted(key), in: .key)
    session.print(" => ")
  }

  /// Prints a leaf and the end of its line; data that is a property list takes further lines.
  func print(leaf: PlistValue, depth: Int) throws(PlistError.Kind) {
    guard case .data(let data) = leaf else {
      session.print(leaf.leafText, in: Self.style(of: leaf))
      return session.print("\n")
    }
    if options.expandsData, nesting < Self.maximumNesting, let document = Plist.readNested(data) {
      session.print(
        "{length = \(data.count), property list (\(document.format.title))}", in: .constant)
      session.print(" =>\n")
      var printer = self
      printer.nesting += 1
      printer.indentation += depth + 1
      if options.printsGraphs, let archive = ArchivedObjects(document.value) {
        return try printer.print(archive, of: document.value)
      }
      return try printer.print(document.value)
    }
    let text =
      options.printsWholeData && data.count > 24
      ? "{length = \(data.count), bytes = 0x\(data.hexadecimalText)}" : data.descriptionText
    session.print(text, in: .constant)
    session.print("\n")
  }

  static func brackets(of kind: PlistValue.Kind) -> (opening: String, closing: String) {
    switch kind {
    case .dictionary: ("{", "}")
    case .array: ("[", "]")
    default: ("{(", ")}")
    }
  }

  /// A container on one line, with the number of its values.
  private static func closedText(of container: PlistValue) -> String {
    let text = container.leafText
    switch container {
    case .dictionary(let dictionary) where !dictionary.isEmpty:
      return "\(text) (\(dictionary.count) key\(dictionary.count == 1 ? "" : "s"))"
    case .array(let elements) where !elements.isEmpty,
      .set(let elements) where !elements.isEmpty:
      return "\(text) (\(elements.count) element\(elements.count == 1 ? "" : "s"))"
    default: return text
    }
  }
}

extension ValuePrinter {
  /// The style of a leaf.
  static func style(of leaf: PlistValue) -> TextStyle {
    switch leaf.kind {
    case .string: .string
    case .integer, .real, .date: .number
    default: .constant
    }
  }

  /// A string in quotes, with control characters escaped.
  static func quoted(_ string: String) -> String { string.quoted { !$0.isControl } }
}
