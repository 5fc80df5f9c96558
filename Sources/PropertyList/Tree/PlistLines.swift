/// The lines of a text document on which a value and the values in it begin.
package struct PlistLines: Sendable, Hashable {
  /// The line, counted from one; for a value of a dictionary that of its key.
  package let line: Int
  /// The lines of the values in a container, in document order.
  package fileprivate(set) var children: [PlistLines] = []

  /// The line on which the last value begins.
  package var lastLine: Int {
    var lines = self
    while let last = lines.children.last { lines = last }
    return max(line, lines.line)
  }

  /// Returns the line of a value.
  ///
  /// - Parameters:
  ///   - components: The components of the value's key path.
  ///   - root: The value that was read with these lines.
  package func line(at components: some Sequence<String>, in root: PlistValue) -> Int? {
    var (lines, value) = (self, root)
    for component in components {
      let position: Int?
      switch value {
      case .dictionary(let dictionary): position = dictionary.shape.position(of: component)
      case .array: position = PlistValue.index(component)
      default: return nil
      }
      guard let position, lines.children.indices.contains(position) else { return nil }
      switch value {
      case .dictionary(let dictionary): value = dictionary.value(at: position)
      case .array(let elements) where elements.indices.contains(position):
        value = elements[position]
      default: return nil
      }
      lines = lines.children[position]
    }
    return lines.line
  }
}

/// Records the lines of values while a document is read.
struct LineRecorder {
  /// The text, which must outlive the recorder.
  private let text: UnsafeRawBufferPointer
  private var cursor = TextCursor()
  /// The open containers.
  private var open: [PlistLines] = []
  /// The lines of the whole document; nil until the outermost value is complete.
  private(set) var root: PlistLines?

  init(_ text: UnsafeRawBufferPointer) {
    self.text = text
  }

  /// Records the beginning of a container.
  ///
  /// - Parameter offset: The position of the value or its key, after those of earlier values.
  mutating func beginContainer(at offset: Int) {
    open.append(PlistLines(line: cursor.line(of: offset, in: text)))
  }

  /// Records a value that is not a container.
  mutating func addLeaf(at offset: Int) {
    add(PlistLines(line: cursor.line(of: offset, in: text)))
  }

  /// Records the end of the innermost container.
  mutating func endContainer() {
    if let closed = open.popLast() { add(closed) }
  }

  private mutating func add(_ lines: PlistLines) {
    if open.isEmpty {
      root = lines
    } else {
      open[open.count - 1].children.append(lines)
    }
  }

  /// Moves the last value of the innermost dictionary to the place of an earlier one of the same
  /// key, which it replaces.
  mutating func replaceWithLast(at position: Int) {
    guard !open.isEmpty, let last = open[open.count - 1].children.popLast() else { return }
    open[open.count - 1].children[position] = last
  }
}
