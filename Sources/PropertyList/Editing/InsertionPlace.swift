/// Where a new value is written beside a block.
struct InsertionPlace {
  /// Whether the value begins a line.
  let isOwnLine: Bool
  let indentation: [UInt8]
  /// What stands between the block and the value.
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

/// A value of a container in the text, with its key, its separator and the comments that belong to
/// it. A comment belongs to the value that it stands above, at the same indentation and without an
/// empty line between them, to the value that follows it on its line, or to the value that it
/// follows at the end of a line.
struct EntryBlock {
  let entry: Int
  /// The block with its comments.
  let range: Range<Int>
  /// The position of the `;` or `,` behind the value; nil if there is none.
  let separator: Int?
}

extension IndexedText {
  /// Returns the blocks of the values in a container, which the mark separates, in document order.
  func blocks(of container: Int, separatedBy mark: UInt8?) -> [EntryBlock] {
    guard let contents = index.entries[container].contents else { return [] }
    let children = index.children(of: container)
    var blocks: [EntryBlock] = []
    var start = contents.lowerBound
    for (number, child) in children.enumerated() {
      let entry = index.entries[child]
      let separator = separator(mark, after: entry.value.upperBound, before: contents.upperBound)
      let end = trailingEnd(
        of: separator.map { $0 + 1 } ?? entry.value.upperBound,
        before: number + 1 < children.count
          ? index.entries[children[number + 1]].start : contents.upperBound,
        contents: contents)
      blocks.append(
        EntryBlock(
          entry: child, range: leadingStart(of: entry.start, after: start)..<end,
          separator: separator))
      start = end
    }
    return blocks
  }

  /// Returns the position of a separator that follows a value after white space and comments.
  private func separator(_ mark: UInt8?, after valueEnd: Int, before limit: Int) -> Int? {
    guard let mark else { return nil }
    var position = valueEnd
    var comments = comments(in: valueEnd..<limit)
    while position < limit {
      if bytes[position] == mark { return position }
      if let comment = comments.first, comment.lowerBound == position {
        position = comment.upperBound
        comments.removeFirst()
      } else if bytes[position].isOpenStepSpace {
        position += 1
      } else if bytes[position...].starts(with: [0xE2, 0x80]) {
        // A line or paragraph separator.
        position += 3
      } else {
        return nil
      }
    }
    return nil
  }

  /// Returns the end of the comments that follow a value at the end of a line.
  ///
  /// - Parameter limit: The start of the next value, or the end of the container.
  private func trailingEnd(of end: Int, before limit: Int, contents: Range<Int>) -> Int {
    var position = end
    for comment in comments(in: end..<limit) {
      guard blankEnd(after: position) == comment.lowerBound else { break }
      position = comment.upperBound
    }
    let isLast = blankEnd(after: position) == contents.upperBound
    return isLast || nextLine(after: position) != nil ? position : end
  }

  /// Returns the start of the comments that belong to a value because of what follows them.
  private func leadingStart(of start: Int, after limit: Int) -> Int {
    var position = start
    for comment in comments(in: limit..<start).reversed() {
      guard let lineBreaks = lineBreakCount(in: comment.upperBound..<position), lineBreaks < 2
      else {
        break
      }
      if lineBreaks == 1 {
        guard startsLine(comment.lowerBound), startsLine(position),
          indentation(at: comment.lowerBound) == indentation(at: position)
        else { break }
      }
      position = comment.lowerBound
    }
    return position
  }
}
