/// The blocks of a container that are kept or removed, and the new values among them.
struct ContentPlan {
  struct Insertion {
    let key: String?
    let value: PlistValue
    /// The number of the block before which it is inserted.
    let location: Int
    /// Whether a separator follows it.
    var isSeparated = false
    /// Whether no new value follows it.
    var isLast = false

    init(_ insertion: ContentChange.Insertion, before location: Int) {
      key = insertion.key
      value = insertion.value
      self.location = location
    }
  }

  let blocks: [EntryBlock]
  let isRemoved: [Bool]
  private(set) var insertions: [Insertion]
  /// The block that needs a separator, because it is no longer the last one.
  private(set) var separatedBlock: Int?
  /// The block whose separator is removed, because it becomes the last one.
  private(set) var unseparatedBlock: Int?

  init(_ blocks: [EntryBlock], isRemoved: [Bool], insertions: [Insertion]) {
    (self.blocks, self.isRemoved) = (blocks, isRemoved)
    // The order of insertions at one place is kept.
    self.insertions = insertions.enumerated().sorted {
      ($0.element.location, $0.offset) < ($1.element.location, $1.offset)
    }.map(\.element)
    if !insertions.isEmpty { self.insertions[insertions.count - 1].isLast = true }
  }

  func survivor(before location: Int) -> Int? { isRemoved[..<location].lastIndex(of: false) }

  func survivor(from location: Int) -> Int? { isRemoved[location...].firstIndex(of: false) }

  /// The text between a block and its neighbors.
  func gaps(around number: Int) -> [Range<Int>] {
    [number - 1, number].filter { $0 >= 0 && $0 + 1 < blocks.count }.map {
      blocks[$0].range.upperBound..<blocks[$0 + 1].range.lowerBound
    }
  }

  /// Whether no block is kept, and new values are written instead.
  var isReplaced: Bool { !insertions.isEmpty && !isRemoved.contains(false) }

  /// Decides where separators are needed: only between values, or also after the last value if that
  /// is allowed and the last block has one.
  mutating func separate(needsSeparators: Bool, mayEndWithSeparator: Bool) {
    guard needsSeparators else { return }
    let endsWithSeparator = mayEndWithSeparator && blocks.last?.separator != nil
    for number in insertions.indices {
      insertions[number].isSeparated =
        endsWithSeparator || !insertions[number].isLast
        || survivor(from: insertions[number].location) != nil
    }
    guard let last = survivor(before: blocks.count) else { return }
    if let new = insertions.last, new.location > last {
      if blocks[last].separator == nil { separatedBlock = last }
    } else if last < blocks.count - 1, !endsWithSeparator {
      unseparatedBlock = last
    }
  }
}
