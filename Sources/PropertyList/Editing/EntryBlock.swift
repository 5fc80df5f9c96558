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

  /// Returns the start of the comments that precede a value and belong to it.
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
