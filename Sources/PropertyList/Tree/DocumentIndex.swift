/// Where the values of a text document are, as byte offsets in its UTF-8 text.
struct DocumentIndex: Sendable {
  /// The place of a value and its key.
  struct Entry: Sendable {
    /// The start of the key, or of a value without a key.
    let start: Int
    /// The end of the key; the start of a value without a key.
    let keyEnd: Int
    /// The value. It is empty, and follows the key, where a key alone is its own value.
    fileprivate(set) var value: Range<Int>
    /// The text between the brackets or tags of a container; nil for other values.
    fileprivate(set) var contents: Range<Int>?
    /// The position of the value in its container. Repeated keys have the same position.
    fileprivate(set) var position: Int
    /// The index of the first entry after this one that is not inside of it.
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
    /// The number of values so far, with those of a repeated key counted once.
    var count = 0
    /// The last value.
    var lastChild = 0
  }

  /// What has been recorded so far.
  fileprivate(set) var index = DocumentIndex()
  private var open: [Container] = []

  mutating func beginContainer(at start: Int, keyEnd: Int, value: Int, contents: Int) {
    add(
      DocumentIndex.Entry(
        start: start, keyEnd: keyEnd, value: value..<value, contents: contents..<contents,
        position: 0, next: 0))
    open.append(Container(entry: index.entries.count - 1))
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

  mutating func addLeaf(at start: Int, keyEnd: Int, value: Range<Int>) {
    add(
      DocumentIndex.Entry(
        start: start, keyEnd: keyEnd, value: value, contents: nil, position: 0,
        next: index.entries.count + 1))
  }

  private mutating func add(_ entry: DocumentIndex.Entry) {
    index.entries.append(entry)
    guard !open.isEmpty else { return }
    let (container, child) = (open.count - 1, index.entries.count - 1)
    index.entries[child].position = open[container].count
    open[container].count += 1
    open[container].lastChild = child
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
  /// Whether the root has no brackets, as a strings table.
  var isTable: Bool {
    index.entries.first.map { $0.contents?.upperBound == $0.value.upperBound } ?? true
  }

  /// The text with an entry for the root if it is an empty strings table, which has none.
  var withRoot: IndexedText {
    guard index.entries.isEmpty else { return self }
    var recorder = IndexRecorder()
    recorder.beginContainer(at: 0, keyEnd: 0, value: 0, contents: 0)
    recorder.endContainer(bytes.count..<bytes.count)
    recorder.index.comments = index.comments
    return IndexedText(bytes: bytes, index: recorder.index)
  }
}
