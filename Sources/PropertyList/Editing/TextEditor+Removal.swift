/// Removing values with their comments.
extension TextEditor {
  /// Removes the blocks that a plan removes.
  mutating func remove(_ plan: ContentPlan, from container: Int) {
    guard let contents = entries[container].contents else { return }
    let isReplaced = plan.isReplaced
    var number = 0
    while number < plan.blocks.count {
      guard plan.isRemoved[number] else {
        number += 1
        continue
      }
      var range = plan.blocks[number].range
      if isReplaced, number == 0 {
        // Others are written in its place.
        replacements.append(TextReplacement(range))
        number += 1
        continue
      }
      number += 1
      // Values that follow one another are removed together.
      while number < plan.blocks.count, plan.isRemoved[number],
        text.lineBreakCount(in: range.upperBound..<plan.blocks[number].range.lowerBound) != nil
      {
        range = range.lowerBound..<plan.blocks[number].range.upperBound
        number += 1
      }
      replacements.append(TextReplacement(removal(of: range, from: contents)))
    }
  }

  /// The range to remove with blocks: their lines, if nothing else is on them, with an empty line
  /// that would be one too many.
  private func removal(of range: Range<Int>, from contents: Range<Int>) -> Range<Int> {
    let (start, end) = (range.lowerBound, range.upperBound)
    let isFirst = text.lineBreakCount(in: contents.lowerBound..<start) != nil
    guard text.startsLine(start), let next = text.nextLine(after: end) else {
      let blankStart = max(text.blankStart(before: start), contents.lowerBound)
      if text.nextLine(after: end) != nil { return blankStart..<end }
      let isFirstOnLine = isFirst || text.startsLine(start)
      return isFirstOnLine
        ? start..<min(text.blankEnd(after: end), max(contents.upperBound, end)) : blankStart..<end
    }
    let line = text.lineStart(of: start)
    let previous = line > contents.lowerBound ? previousBlankLine(before: line) : nil
    let isLast =
      next >= contents.upperBound || text.lineBreakCount(in: next..<contents.upperBound) != nil
    if isFirst || previous != nil, next < contents.upperBound,
      let following = text.nextLine(after: next), following > next, following <= contents.upperBound
    {
      return line..<following
    }
    if isLast, let previous, previous >= contents.lowerBound { return previous..<next }
    return line..<next
  }

  /// The start of the line before a line, if it is empty.
  private func previousBlankLine(before line: Int) -> Int? {
    guard line > 0 else { return nil }
    var end = line - 1
    if bytes[end] == 0x0A, end > 0, bytes[end - 1] == 0x0D { end -= 1 }
    let start = text.lineStart(of: end)
    return start == text.blankStart(before: end) ? start : nil
  }
}
