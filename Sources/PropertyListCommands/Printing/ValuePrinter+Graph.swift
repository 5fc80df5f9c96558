internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

// Keyed archives as graphs of objects.

extension ValuePrinter {
  /// Prints the graph of objects of an archive.
  ///
  /// An object that is referred to from several places is printed at the first, with its number
  /// after `#`; the others show the number. Below ``ArchiveGraph/maximumDepth`` levels, objects are
  /// printed at the end.
  ///
  /// - Parameter root: The property list of the archive.
  /// - Throws: An error if the text is out of proportion to the archive.
  func print(_ archive: ArchivedObjects, of root: PlistValue) throws(PlistError.Kind) {
    var graph = GraphPrinter(
      printer: self, graph: ArchiveGraph(archive), allowance: OutputAllowance(for: root),
      start: session.printedSize)
    try graph.print()
  }
}

private struct GraphPrinter {
  let printer: ValuePrinter
  var graph: ArchiveGraph
  var allowance: OutputAllowance
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
