/// A document from whose text new values are copied, if it has them at the same place, so that they
/// keep their comments and layout.
struct TextSource {
  private let text: IndexedText
  private let format: PlistFormat
  let root: Place

  /// A value and its entry in the text.
  struct Place {
    let entry: Int
    let value: PlistValue
  }

  /// The text of a value with its key and comments.
  struct Block {
    /// The comments before the value, its key, and the value.
    let text: [UInt8]
    /// The comments behind the value on its line.
    let trailingComments: [UInt8]
  }

  init(_ text: IndexedText, _ root: PlistValue, _ format: PlistFormat) {
    (self.text, self.format) = (text, format)
    self.root = Place(entry: 0, value: root)
  }

  /// The values in a container of the source, to take blocks from.
  struct Contents {
    fileprivate let source: TextSource
    fileprivate let container: PlistValue
    /// The blocks by the positions of their values. Of equal keys, the last one is used.
    fileprivate let blocks: [Int: EntryBlock]

    func place(at position: Int, key: String?) -> Place? {
      (container.kind == .dictionary ? key : String(position)).flatMap(container.child).flatMap {
        position, value in
        blocks[position].map { Place(entry: $0.entry, value: value) }
      }
    }

    /// The text of a value that is equal to another, with the same key in a dictionary.
    func text(of value: PlistValue, key: String?) -> Block? {
      let position: Int?
      switch container {
      case .dictionary(let dictionary):
        position = key.flatMap { dictionary.shape.position(of: $0) }
          .flatMap { dictionary.value(at: $0) == value ? $0 : nil }
      case .array(let elements): position = elements.firstIndex(of: value)
      default: position = nil
      }
      return position.flatMap { blocks[$0] }.flatMap(source.text(of:))
    }
  }

  func contents(of place: Place, separatedBy mark: UInt8?) -> Contents {
    let blocks = text.blocks(of: place.entry, separatedBy: mark)
    return Contents(
      source: self, container: place.value,
      blocks: Dictionary(
        blocks.map { (text.index.entries[$0.entry].position, $0) }, uniquingKeysWith: { $1 }))
  }

  /// The text of a value; nil for a key that is its own value.
  func text(of place: Place) -> [UInt8]? {
    let range = text.index.entries[place.entry].value
    return range.isEmpty ? nil : Array(text.bytes[range])
  }

  private func text(of block: EntryBlock) -> Block? {
    let end = text.index.entries[block.entry].value.upperBound
    let trailing = block.separator.map { $0 + 1 } ?? end
    // A comment before the separator is dropped.
    return Block(
      text: Array(text.bytes[block.range.lowerBound..<end]),
      trailingComments: Array(text.bytes[trailing..<block.range.upperBound]))
  }
}

/// Bytes that replace a range of a text.
struct TextReplacement {
  let range: Range<Int>
  let bytes: [UInt8]

  init(_ range: Range<Int>, _ bytes: [UInt8] = []) { (self.range, self.bytes) = (range, bytes) }

  /// Returns replacements in the order of their ranges. Ranges that are only removed may overlap,
  /// and become one.
  static func ordered(_ replacements: [TextReplacement]) -> [TextReplacement] {
    var ordered: [TextReplacement] = []
    let sorted = replacements.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, next) in sorted {
      if next.bytes.isEmpty, let last = ordered.last, last.bytes.isEmpty,
        next.range.lowerBound < last.range.upperBound
      {
        let end = max(last.range.upperBound, next.range.upperBound)
        ordered[ordered.count - 1] = TextReplacement(last.range.lowerBound..<end)
      } else {
        ordered.append(next)
      }
    }
    return ordered
  }
}
