/// The lines of a text document where a value and the values in it begin.
package struct PlistLines: Sendable, Hashable {
  /// The line, counted from one; for a value in a dictionary, the line of its key.
  package let line: Int
  /// The lines of the values in a container, in document order.
  package private(set) var children: [PlistLines] = []

  /// The line where the last value begins.
  package var lastLine: Int {
    var lines = self
    while let last = lines.children.last { lines = last }
    return max(line, lines.line)
  }

  /// Returns the line of a value, by its key path in the root that was read with these lines.
  package func line(at components: some Sequence<String>, in root: PlistValue) -> Int? {
    var (lines, value) = (self, root)
    for component in components {
      guard let (position, next) = value.child(component), lines.children.indices.contains(position)
      else { return nil }
      (lines, value) = (lines.children[position], next)
    }
    return lines.line
  }
}

extension PlistLines {
  /// The lines of the values of a document; nil if it has no values.
  init?(_ index: DocumentIndex, in text: UnsafeRawBufferPointer) {
    var cursor = TextCursor()
    /// The current value and the containers around it, each with its entry.
    var open: [(lines: PlistLines, entry: DocumentIndex.Entry)] = []
    for (number, entry) in index.entries.enumerated() {
      while let last = open.last, last.entry.next <= number { Self.close(&open) }
      open.append((PlistLines(line: cursor.line(of: entry.start, in: text)), entry))
    }
    while open.count > 1 { Self.close(&open) }
    guard let root = open.first else { return nil }
    self = root.lines
  }

  private static func close(_ open: inout [(lines: PlistLines, entry: DocumentIndex.Entry)]) {
    let (lines, entry) = open.removeLast()
    let parent = open.count - 1
    if entry.position < open[parent].lines.children.count {
      open[parent].lines.children[entry.position] = lines
    } else {
      open[parent].lines.children.append(lines)
    }
  }
}
