/// Where a new value is written beside a block.
struct InsertionPlace {
  /// Whether the value begins a line.
  let isOwnLine: Bool
  /// The indentation of the value's line.
  let indentation: [UInt8]
  /// What stands between the block and the value.
  let gap: [UInt8]

  /// The place after a block.
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

  /// The place before a block.
  init(before number: Int, of plan: ContentPlan, in text: IndexedText, _ styles: StyleGuide) {
    if text.startsLine(plan.blocks[number].range.lowerBound) {
      self.init(onLineLike: number, of: plan, in: text)
    } else {
      self.init(beside: number, of: plan, in: text, styles)
    }
  }

  private init(isOwnLine: Bool, indentation: [UInt8], gap: [UInt8]) {
    self.isOwnLine = isOwnLine
    self.indentation = indentation
    self.gap = gap
  }

  /// A place on a line of its own, after an empty line if the blocks around are separated by such.
  private init(onLineLike number: Int, of plan: ContentPlan, in text: IndexedText) {
    let start = plan.blocks[number].range.lowerBound
    let (indentation, lineBreak) = (text.indentation(at: start), text.lineBreak(before: start))
    let gaps = [number - 1, number].compactMap { first -> Int? in
      guard plan.blocks.indices.contains(first), plan.blocks.indices.contains(first + 1) else {
        return nil
      }
      return text.lineBreakCount(
        in: plan.blocks[first].range.upperBound..<plan.blocks[first + 1].range.lowerBound) ?? 1
    }
    let isSpaced = !gaps.isEmpty && gaps.allSatisfy { $0 > 1 }
    self.init(
      isOwnLine: true, indentation: indentation,
      gap: lineBreak + (isSpaced ? lineBreak : []) + indentation)
  }

  /// A place on the line of a block.
  private init(
    beside number: Int, of plan: ContentPlan, in text: IndexedText, _ styles: StyleGuide
  ) {
    let block = plan.blocks[number]
    let gaps = [number - 1, number].compactMap { first -> [UInt8]? in
      guard plan.blocks.indices.contains(first), plan.blocks.indices.contains(first + 1) else {
        return nil
      }
      let end = plan.blocks[first].range.upperBound
      let next = plan.blocks[first + 1].range.lowerBound
      return text.lineBreakCount(in: end..<next) == 0 ? Array(text.bytes[end..<next]) : nil
    }
    self.init(
      isOwnLine: false, indentation: text.indentation(at: block.range.lowerBound),
      gap: gaps.first ?? styles.gap(of: block))
  }
}

extension IndexedText {
  /// Whether a range ends with a comment that the end of the line ends.
  fileprivate func endsWithLineComment(_ range: Range<Int>) -> Bool {
    guard let comment = comments(in: range).last, comment.upperBound == range.upperBound else {
      return false
    }
    return bytes[comment].starts(with: "//".utf8)
  }
}
