/// The place of a new value next to a block.
struct InsertionPlace {
  let isOwnLine: Bool
  let indentation: [UInt8]
  /// The text between the block and the value.
  let gap: [UInt8]

  init(after number: Int, of plan: ContentPlan, in text: IndexedText, _ styles: StyleGuide) {
    let block = plan.blocks[number]
    if text.startsLine(block.range.lowerBound) {
      self.init(onLineLike: number, of: plan, in: text)
    } else if let next = plan.survivor(from: number + 1),
      text.startsLine(plan.blocks[next].range.lowerBound)
    {
      self.init(onLineLike: next, of: plan, in: text)
    } else if text.endsWithLineComment(block.range) {
      let indentation = text.indentation(at: block.range.lowerBound)
      self.init(
        isOwnLine: true, indentation: indentation,
        gap: text.lineBreak(before: block.range.upperBound) + indentation)
    } else {
      self.init(beside: number, of: plan, in: text, styles)
    }
  }

  init(before number: Int, of plan: ContentPlan, in text: IndexedText, _ styles: StyleGuide) {
    if text.startsLine(plan.blocks[number].range.lowerBound) {
      self.init(onLineLike: number, of: plan, in: text)
    } else {
      self.init(beside: number, of: plan, in: text, styles)
    }
  }

  private init(isOwnLine: Bool, indentation: [UInt8], gap: [UInt8]) {
    (self.isOwnLine, self.indentation, self.gap) = (isOwnLine, indentation, gap)
  }

  /// A place on a new line, after an empty line if empty lines separate the blocks around it.
  private init(onLineLike number: Int, of plan: ContentPlan, in text: IndexedText) {
    let start = plan.blocks[number].range.lowerBound
    let (indentation, lineBreak) = (text.indentation(at: start), text.lineBreak(before: start))
    let gaps = plan.gaps(around: number)
    let isSpaced = !gaps.isEmpty && gaps.allSatisfy { text.lineBreakCount(in: $0) ?? 1 > 1 }
    self.init(
      isOwnLine: true, indentation: indentation,
      gap: lineBreak + (isSpaced ? lineBreak : []) + indentation)
  }

  /// A place on the line of a block.
  private init(
    beside number: Int, of plan: ContentPlan, in text: IndexedText, _ styles: StyleGuide
  ) {
    let block = plan.blocks[number]
    let gap = plan.gaps(around: number).first { text.lineBreakCount(in: $0) == 0 }
    self.init(
      isOwnLine: false, indentation: text.indentation(at: block.range.lowerBound),
      gap: gap.map { Array(text.bytes[$0]) } ?? styles.gap(of: block))
  }
}

extension IndexedText {
  fileprivate func endsWithLineComment(_ range: Range<Int>) -> Bool {
    guard let comment = comments(in: range).last, comment.upperBound == range.upperBound else {
      return false
    }
    return bytes[comment].starts(with: "//".utf8)
  }
}

extension ContentPlan.Insertion {
  /// Returns new entries of a dictionary, each with the number of the block before which it
  /// belongs: in the order of the keys if they are sorted, otherwise after the last.
  static func located(
    _ insertions: [ContentChange.Insertion], among keys: [String]
  ) -> [ContentPlan.Insertion] {
    guard let precedes = order(of: keys) else {
      return insertions.map { ContentPlan.Insertion($0, before: keys.count) }
    }
    return insertions.sorted { precedes($0.key ?? "", $1.key ?? "") }.map { insertion in
      var (low, high) = (0, keys.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(insertion.key ?? "", keys[middle]) { high = middle } else { low = middle + 1 }
      }
      return ContentPlan.Insertion(insertion, before: low)
    }
  }

  /// The order of sorted keys; nil if they are not sorted.
  private static func order(of keys: [String]) -> ((String, String) -> Bool)? {
    let orders: [(String, String) -> Bool] = [
      { $0.precedesInCodeUnits($1) }, { NaturalSortKey($0) < NaturalSortKey($1) },
    ]
    return orders.first { precedes in
      zip(keys, keys.dropFirst()).allSatisfy { !precedes($1, $0) }
    }
  }
}
