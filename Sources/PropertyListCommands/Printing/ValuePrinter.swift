internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Prints values as `plutil -p` does: two spaces a level, keys in natural order, quoted
/// strings.
struct ValuePrinter {
  /// How much of a value is printed.
  struct Options {
    /// The number of levels of containers whose contents are printed; nil for all.
    var depth: Int?
    var showsLines = false
    var printsWholeData = false
    var expandsData = false
    var printsGraphs = false
  }

  let session: Session
  let options: Options
  /// The number of property lists in data around this one.
  private(set) var nesting = 0
  private(set) var indentation = 0

  private static let maximumNesting = 8

  /// The lines of a document, and where they are looked up.
  struct Lines {
    let lines: PlistLines
    let root: PlistValue
    /// The components of the path to the value that is printed.
    let path: [String]
    let width: Int
  }

  func print(_ value: PlistValue, lines: Lines? = nil) throws(PlistError.Kind) {
    var walk = PlistTreeWalk(value, keyOrder: .natural)
    var allowance = ExpansionLimit(for: value)
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
          session.print("\(container.kind.brackets.opening)\n")
        }
      case .leaf(let leaf):
        // The label of the root has already been printed.
        if walk.depth > 0 || nesting == 0 { printLabel(of: walk) }
        let before = session.printedSize
        try print(leaf: leaf, depth: walk.depth)
        // Data is not limited, and a property list in data has its own limit.
        if case .data = leaf { start += session.printedSize - before }
      case .close(let kind, _): session.print("\(kind.brackets.closing)\n")
      }
    }
  }

  func begin(_ depth: Int, line: Int? = nil, width: Int? = nil) {
    if let width {
      let number = line.map(String.init) ?? ""
      session.print(String(repeating: " ", count: max(0, width - number.count)) + number + "  ")
    }
    session.print(String(repeating: "  ", count: indentation + depth))
  }

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

  /// Prints a leaf and the end of its line. Data that is a property list takes more lines.
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

  private static func closedText(of container: PlistValue) -> String {
    let text = container.leafText
    switch container {
    case .dictionary(let dictionary) where !dictionary.isEmpty:
      return "\(text) (\(dictionary.count.counted("key")))"
    case .array(let elements) where !elements.isEmpty,
      .set(let elements) where !elements.isEmpty:
      return "\(text) (\(elements.count.counted("element")))"
    default: return text
    }
  }
}

extension ValuePrinter {
  static func style(of leaf: PlistValue) -> TerminalStyle {
    switch leaf.kind {
    case .string: .string
    case .integer, .real, .date: .number
    default: .constant
    }
  }

  static func quoted(_ string: String) -> String { string.quoted { !$0.isControl } }
}

// Keyed archives as graphs of objects.

extension ValuePrinter {
  /// Prints the graph of objects of an archive.
  ///
  /// If several places refer to an object, it is printed at the first one, with its number after
  /// `#`; the others show the number. Below ``ArchiveGraph/maximumDepth`` levels, objects are
  /// printed at the end.
  ///
  /// - Parameter root: The property list of the archive.
  /// - Throws: An error if the text is far too large for the archive.
  func print(_ archive: ArchivedObjects, of root: PlistValue) throws(PlistError.Kind) {
    var graph = GraphPrinter(
      printer: self, graph: ArchiveGraph(archive), allowance: ExpansionLimit(for: root),
      start: session.printedSize)
    try graph.print()
  }
}

private struct GraphPrinter {
  let printer: ValuePrinter
  var graph: ArchiveGraph
  var allowance: ExpansionLimit
  var start: Int

  mutating func print() throws(PlistError.Kind) {
    printer.begin(0)
    printer.session.print("{\n")
    for key in graph.archive.top.naturallySortedKeys {
      guard let value = graph.archive.top[key] else { continue }
      try print(value, label: .key(key), depth: 1)
    }
    printer.begin(0)
    printer.session.print("}\n")
    while let number = graph.nextDeferred() {
      try print(.uid(number), label: .text("#\(number)"), depth: 0)
    }
  }

  private enum Label {
    case key(String)
    case text(String)
  }

  private func begin(_ label: Label, depth: Int) {
    printer.begin(depth)
    switch label {
    case .key(let key): printer.printKey(key)
    case .text(let text): printer.session.print("\(text) => ")
    }
  }

  private mutating func print(
    _ value: PlistValue, label: Label, depth: Int
  ) throws(PlistError.Kind) {
    try allowance.check(printer.session.printedSize - start)
    begin(label, depth: depth)
    let session = printer.session
    switch graph.visit(value, depth: depth) {
    case .value(let leaf):
      let before = session.printedSize
      try printer.print(leaf: leaf, depth: depth)
      if case .data = leaf { start += session.printedSize - before }
    case .text(let className, let text):
      session.print("\(className.onOneLine) ", in: .heading)
      session.print(ValuePrinter.quoted(text), in: .string)
      session.print("\n")
    case .missing(let number):
      session.print("#\(number) (missing)", in: .constant)
      session.print("\n")
    case .reference(let object):
      session.print("#\(object.number)", in: .constant)
      session.print(object.className.map { " (\($0.onOneLine))\n" } ?? "\n")
    case .object(let object):
      if let className = object.className { session.print("\(className.onOneLine) ", in: .heading) }
      if graph.isShared(object) { session.print("#\(object.number) ", in: .constant) }
      try print(object.contents, depth: depth)
    }
  }

  private mutating func print(
    _ contents: ArchivedObjects.Contents, depth: Int
  ) throws(PlistError.Kind) {
    let isArray = if case .elements = contents { true } else { false }
    let isClosed = printer.options.depth.map { depth >= $0 } ?? false
    guard !isClosed else { return printer.session.print(isArray ? "[…]\n" : "{…}\n") }
    printer.session.print(isArray ? "[\n" : "{\n")
    switch contents {
    case .fields(let fields):
      for key in fields.naturallySortedKeys {
        guard let value = fields[key] else { continue }
        try print(value, label: .key(key), depth: depth + 1)
      }
    case .elements(let elements):
      for (index, element) in elements.enumerated() {
        try print(element, label: .text("\(index)"), depth: depth + 1)
      }
    case .entries(let entries):
      for (index, entry) in entries.enumerated() {
        switch graph.archive.node(for: entry.key) {
        case .value(.string(let key)): try print(entry.value, label: .key(key), depth: depth + 1)
        case .value(let key): try print(entry.value, label: .text(key.leafText), depth: depth + 1)
        default:
          try print(entry.key, label: .text("key \(index)"), depth: depth + 1)
          try print(entry.value, label: .text("value \(index)"), depth: depth + 1)
        }
      }
    }
    printer.begin(depth)
    printer.session.print(isArray ? "]\n" : "}\n")
  }
}
