/// The places of the values of a text document, as byte offsets in its UTF-8 text.
struct DocumentIndex: Sendable {
  /// The place of a value and its key.
  struct Entry: Sendable {
    /// The start of the key, or of a value without a key.
    let start: Int
    /// The end of the key; the start of a value without a key.
    let keyEnd: Int
    /// The value. If a key alone is its own value, the range is empty and follows the key.
    fileprivate(set) var value: Range<Int>
    /// The text between the brackets or tags of a container; nil for other values.
    fileprivate(set) var contents: Range<Int>?
    /// The position of the value in its container. Repeated keys have the same position.
    fileprivate(set) var position: Int
    /// The index of the first later entry that is not inside this one.
    fileprivate(set) var next: Int

    var hasKey: Bool { keyEnd > start }
  }

  /// The root and all values in it, in document order.
  fileprivate(set) var entries: [Entry] = []
  var comments: [Range<Int>] = []

  func children(of container: Int) -> [Int] {
    var children: [Int] = []
    var child = container + 1
    while child < entries[container].next {
      children.append(child)
      child = entries[child].next
    }
    return children
  }
}

/// Records where values are while a document is read.
struct IndexRecorder {
  private struct Container {
    let entry: Int
    /// The number of values so far. A repeated key is counted once.
    var count = 0
    var lastChild = 0
  }

  /// The records so far.
  fileprivate(set) var index = DocumentIndex()
  private var open: [Container] = []

  /// Records a value, or the beginning of a container, whose contents begin at a position.
  mutating func add(_ value: Range<Int>, key: Range<Int>, contents: Int?) {
    let position = open.last?.count ?? 0
    let number = index.entries.count
    index.entries.append(
      DocumentIndex.Entry(
        start: key.lowerBound, keyEnd: key.upperBound, value: value,
        contents: contents.map { $0..<$0 }, position: position, next: number + 1))
    if let last = open.indices.last {
      open[last].count += 1
      open[last].lastChild = number
    }
    if contents != nil { open.append(Container(entry: number)) }
  }

  /// Records the end of the innermost container, with its closing bracket or tag.
  mutating func endContainer(_ closing: Range<Int>) {
    guard let entry = open.popLast()?.entry else { return }
    index.entries[entry].value = index.entries[entry].value.lowerBound..<closing.upperBound
    if let start = index.entries[entry].contents?.lowerBound {
      index.entries[entry].contents = start..<closing.lowerBound
    }
    index.entries[entry].next = index.entries.count
  }

  /// Records that the last value of the innermost dictionary replaces an earlier one of the same
  /// key.
  mutating func replaceWithLast(at position: Int) {
    guard !open.isEmpty else { return }
    index.entries[open[open.count - 1].lastChild].position = position
    open[open.count - 1].count -= 1
  }

  /// Records a comment, after all earlier ones.
  mutating func addComment(_ range: Range<Int>) { index.comments.append(range) }
}

extension IndexedText {
  /// Whether the root has no brackets, because it is a strings table.
  var isTable: Bool {
    index.entries.first.map { $0.contents?.upperBound == $0.value.upperBound } ?? true
  }

  /// The text with an entry for the root if it is an empty strings table, which has none.
  var withRoot: IndexedText {
    guard index.entries.isEmpty else { return self }
    var recorder = IndexRecorder()
    recorder.add(0..<0, key: 0..<0, contents: 0)
    recorder.endContainer(bytes.count..<bytes.count)
    recorder.index.comments = index.comments
    return IndexedText(bytes: bytes, index: recorder.index)
  }
}
