/// Finds the bytes in a document's text that a change of a value replaces. All other bytes stay.
/// New text is written like its neighbors (``EntryStyle``). Comments that belong to a removed value
/// are also removed (``EntryBlock``).
struct TextEditor {
  let text: IndexedText
  let format: PlistFormat
  /// Whether OpenStep text is a strings table, whose root has no braces.
  let isTable: Bool
  let styles: StyleGuide
  private let source: TextSource?
  /// The replacements, in any order.
  var replacements: [TextReplacement] = []

  private init(
    _ text: IndexedText, _ format: PlistFormat, escapesNonASCII: Bool, source: TextSource?
  ) {
    (self.text, self.source, self.format) = (text, source, format)
    isTable = format == .openStep && text.isTable
    styles = StyleGuide(text, format, isTable: isTable, escapesNonASCII: escapesNonASCII)
  }

  /// Returns the replacements for a change of the root, in order.
  ///
  /// - Parameters:
  ///   - escapesNonASCII: Whether new OpenStep text escapes characters beyond ASCII.
  ///   - source: A document of the same format, whose text is used for the values that it contains.
  /// - Throws: The reason if the format cannot hold a new value.
  static func replacements(
    for change: ValueChange, of root: PlistValue, in text: IndexedText, _ format: PlistFormat,
    escapesNonASCII: Bool, source: TextSource?
  ) throws(PlistError.Kind) -> [TextReplacement] {
    var editor = TextEditor(text, format, escapesNonASCII: escapesNonASCII, source: source)
    try editor.apply(change, to: 0, of: root, among: [], like: source?.root)
    let replacements = TextReplacement.ordered(editor.replacements)
    let size = replacements.reduce(text.bytes.count) { $0 + $1.bytes.count - $1.range.count }
    // An empty document is not a valid one.
    return size == 0 ? [TextReplacement(text.bytes.indices, editor.emptyTable)] : replacements
  }

  var bytes: [UInt8] { text.bytes }
  var entries: [DocumentIndex.Entry] { text.index.entries }

  // MARK: Values

  /// Applies a change to a value, given its siblings, the nearest first, and its place in the
  /// source.
  private mutating func apply(
    _ change: ValueChange, to entry: Int, of value: PlistValue, among siblings: [Int],
    like model: TextSource.Place?
  ) throws(PlistError.Kind) {
    switch change {
    case .replacement(let new):
      if let model, model.value == new, replace(entry, withTextOf: model) { return }
      try replace(entry, with: new, among: siblings)
    case .contents(let contents): try apply(contents, to: entry, of: value, like: model)
    }
  }

  private mutating func replace(_ number: Int, withTextOf model: TextSource.Place) -> Bool {
    let range = entries[number].value
    guard let new = source?.text(of: model), !range.isEmpty,
      // The text that follows must not continue a word.
      range.upperBound == bytes.count || !bytes[range.upperBound].isOpenStepWord
    else { return false }
    replacements.append(TextReplacement(range, new))
    return true
  }

  private mutating func replace(
    _ number: Int, with value: PlistValue, among siblings: [Int]
  ) throws(PlistError.Kind) {
    let entry = entries[number]
    let old = bytes[entry.value]
    let isOneLine = !old.contains(where: IndexedText.isLineBreak)
    var style = styles.style(of: [number] + siblings, at: entry.start)
    style.isInline = number == 0 ? styles.isRootInline : !text.startsLine(entry.start)
    if style.stringQuoting == .asNeeded, format == .openStep,
      entry.value.upperBound < bytes.count, bytes[entry.value.upperBound].isOpenStepWord
    {
      style.stringQuoting = .double
    }
    var writer = FragmentWriter(format, style)
    if entry.value.isEmpty, case .sameLine(let separator) = style.keySeparator {
      // The key alone was its own value.
      writer.write(separator)
    }
    try writer.write(
      value, indentation: text.indentation(at: entry.value.lowerBound),
      isOneLine: isOneLine && old.starts(with: "<data".utf8))
    replacements.append(TextReplacement(entry.value, writer.output))
  }

  // MARK: Containers

  private mutating func apply(
    _ change: ContentChange, to container: Int, of value: PlistValue, like model: TextSource.Place?
  ) throws(PlistError.Kind) {
    let mark = separator(in: value)
    let blocks = text.blocks(of: container, separatedBy: mark)
    guard !blocks.isEmpty else { return try fill(container, of: value, with: change.insertions) }
    let model = model.flatMap { source?.contents(of: $0, separatedBy: mark) }
    // Of equal keys, the last one is used.
    let numbers = Dictionary(
      blocks.enumerated().map { (entries[$0.element.entry].position, $0.offset) },
      uniquingKeysWith: { $1 })
    let isDictionary = value.kind == .dictionary
    for (position, inner) in change.changes {
      let key = value.key(at: position)
      guard let number = numbers[position], let child = value.child(key)?.value else { continue }
      try apply(
        inner, to: blocks[number].entry, of: child,
        among: Self.nearest(to: number, of: blocks).map { blocks[$0].entry },
        like: model?.place(at: position, key: isDictionary ? key : nil))
    }
    var plan = ContentPlan(
      blocks, isRemoved: blocks.map { change.removals.contains(entries[$0.entry].position) },
      insertions: located(change.insertions, in: value, among: blocks))
    plan.separate(
      needsSeparators: mark == UInt8(ascii: ","),
      mayEndWithSeparator: format == .openStep)
    if let number = plan.separatedBlock {
      let end = entries[blocks[number].entry].value.upperBound
      replacements.append(TextReplacement(end..<end, [UInt8(ascii: ",")]))
    }
    if let number = plan.unseparatedBlock, let position = blocks[number].separator {
      replacements.append(TextReplacement(position..<position + 1))
    }
    try insert(plan, separator: mark, like: model)
    remove(plan, from: container)
  }

  func separator(in container: PlistValue) -> UInt8? {
    switch format {
    case .xml, .binary: nil
    case .json: UInt8(ascii: ",")
    case .openStep: container.kind == .dictionary ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }
  }

  /// The numbers of some blocks around a block by their distance; at equal distance, the earlier
  /// block comes first.
  private static func nearest(to number: Int, of blocks: [EntryBlock]) -> [Int] {
    (1...8).flatMap { [number - $0, number + $0] }.filter(blocks.indices.contains)
  }

  // MARK: Insertion

  /// Returns new values, each with the number of the block before which it belongs, in order.
  private func located(
    _ insertions: [ContentChange.Insertion], in container: PlistValue, among blocks: [EntryBlock]
  ) -> [ContentPlan.Insertion] {
    guard case .dictionary(let dictionary) = container else {
      return insertions.map { ContentPlan.Insertion($0, before: $0.position ?? blocks.count) }
    }
    let keys = blocks.map { dictionary.key(at: entries[$0.entry].position) }
    return ContentPlan.Insertion.located(insertions, among: keys)
  }

  private mutating func insert(
    _ plan: ContentPlan, separator: UInt8?, like model: TextSource.Contents?
  ) throws(PlistError.Kind) {
    let blocks = plan.blocks
    func new(
      _ insertion: ContentPlan.Insertion, at place: InsertionPlace, near number: Int
    ) throws(PlistError.Kind) -> [UInt8] {
      guard place.isOwnLine, let block = model?.text(of: insertion.value, key: insertion.key) else {
        return try write(insertion, at: place, near: number, of: blocks)
      }
      let isSeparated = insertion.isSeparated || separator == UInt8(ascii: ";")
      // Nothing may follow a comment that the end of the line ends.
      let hasComments = text.nextLine(after: blocks[number].range.upperBound) != nil
      return block.text + (isSeparated ? [separator].compactMap(\.self) : [])
        + (hasComments ? block.trailingComments : [])
    }
    for insertion in plan.insertions {
      if let previous = plan.survivor(before: insertion.location) {
        let place = InsertionPlace(after: previous, of: plan, in: text, styles)
        let new = try new(insertion, at: place, near: previous)
        let end = blocks[previous].range.upperBound
        replacements.append(TextReplacement(end..<end, place.gap + new))
      } else {
        // The value is inserted before the first value that stays, or replaces the first value that
        // does not.
        let next = plan.survivor(from: insertion.location)
        let place = InsertionPlace(before: next ?? 0, of: plan, in: text, styles)
        let new = try new(insertion, at: place, near: next ?? 0)
        let start = blocks[next ?? 0].range.lowerBound
        let isReplacement = next == nil
        let isLast = isReplacement && insertion.isLast
        replacements.append(TextReplacement(start..<start, new + (isLast ? [] : place.gap)))
      }
    }
  }

  private func write(
    _ insertion: ContentPlan.Insertion, at place: InsertionPlace, near number: Int,
    of blocks: [EntryBlock]
  ) throws(PlistError.Kind) -> [UInt8] {
    let neighbors = ([number] + Self.nearest(to: number, of: blocks)).map { blocks[$0].entry }
    var style = styles.style(of: neighbors, at: blocks[number].range.lowerBound)
    style.isInline = !place.isOwnLine
    if style.isInline { style.gap = place.gap }
    var writer = FragmentWriter(format, style)
    try writer.write(
      insertion.value, key: insertion.key, indentation: place.indentation,
      contentStyle: styles.oneLineStyle(of: insertion.value.kind, like: neighbors))
    if insertion.isSeparated { writer.write([UInt8(ascii: ",")]) }
    return writer.output
  }
}

extension PlistValue {
  fileprivate func key(at position: Int) -> String {
    if case .dictionary(let dictionary) = self { return dictionary.key(at: position) }
    return String(position)
  }
}

/// Writing the first values of an empty container.
extension TextEditor {
  mutating func fill(
    _ number: Int, of container: PlistValue, with insertions: [ContentChange.Insertion]
  ) throws(PlistError.Kind) {
    let entry = entries[number]
    guard let contents = entry.contents, !insertions.isEmpty else { return }
    let isDictionary = container.kind == .dictionary
    let comments = text.comments(in: contents)
    let hasLines = bytes[contents].contains(where: IndexedText.isLineBreak)
    var style = styles.style(of: [number], at: entry.value.lowerBound)
    style.isInline =
      !hasLines && (number == 0 ? styles.isRootInline : !text.startsLine(entry.start))
    if style.isInline, format == .xml { style.keySeparator = .sameLine([]) }
    let outer =
      hasLines
      ? text.indentation(at: contents.upperBound) : text.indentation(at: entry.value.lowerBound)
    var inner = isTable && number == 0 ? [] : outer + style.indentation
    if let comment = comments.last, text.startsLine(comment.lowerBound) {
      inner = text.indentation(at: comment.lowerBound)
    }

    var writer = FragmentWriter(format, style)
    let gap = style.isInline ? style.gap : style.lineBreak + inner
    let sorted = isDictionary ? Self.sorted(insertions) : insertions
    for (position, insertion) in sorted.enumerated() {
      if position > 0 { writer.write(gap) }
      try writer.write(insertion.value, key: insertion.key, indentation: inner)
      if separator(in: container) == UInt8(ascii: ","), position + 1 < insertions.count {
        writer.write([UInt8(ascii: ",")])
      }
    }

    if isTable, number == 0 {
      fillTable(with: writer.output + style.lineBreak, style)
    } else if let comment = comments.last {
      let end = comment.upperBound
      let isOpen =
        !style.isInline
        && !bytes[end..<contents.upperBound].contains(where: IndexedText.isLineBreak)
      let before = style.isInline ? [0x20] : gap
      replacements.append(
        TextReplacement(
          end..<end, before + writer.output + (isOpen ? style.lineBreak + outer : [])))
    } else {
      let isSelfClosing =
        format == .xml && contents.isEmpty && bytes[contents.upperBound] == UInt8(ascii: "/")
      let padding = Array(bytes[contents])
      let (before, after) = style.isInline ? (padding, padding) : (gap, style.lineBreak + outer)
      let new = before + writer.output + after
      if isSelfClosing {
        let name = isDictionary ? "dict" : "array"
        replacements.append(
          TextReplacement(
            text.blankStart(before: contents.lowerBound)..<entry.value.upperBound,
            [UInt8(ascii: ">")] + new + Array("</\(name)>".utf8)))
      } else {
        replacements.append(TextReplacement(contents, new))
      }
    }
  }

  private static func sorted(_ insertions: [ContentChange.Insertion]) -> [ContentChange.Insertion] {
    insertions.sorted { ($0.key ?? "").precedesInCodeUnits($1.key ?? "") }
  }

  var emptyTable: [UInt8] { Array("/* no entries */".utf8) + text.lineBreak(before: bytes.count) }

  /// Writes the first entries of a strings table after its comments, or instead of the comment that
  /// marks an empty table.
  private mutating func fillTable(with new: [UInt8], _ style: EntryStyle) {
    if bytes == emptyTable { return replacements.append(TextReplacement(bytes.indices, new)) }
    let needsLine = bytes.last.map { !IndexedText.isLineBreak($0) } ?? false
    replacements.append(
      TextReplacement(bytes.count..<bytes.count, (needsLine ? style.lineBreak : []) + new))
  }
}

/// Removing values with their comments.
extension TextEditor {
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
        // New values replace it.
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

  /// The range to remove with blocks: their whole lines if nothing else is on them, with an empty
  /// line that would then be superfluous.
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

  private func previousBlankLine(before line: Int) -> Int? {
    guard line > 0 else { return nil }
    var end = line - 1
    if bytes[end] == 0x0A, end > 0, bytes[end - 1] == 0x0D { end -= 1 }
    let start = text.lineStart(of: end)
    return start == text.blankStart(before: end) ? start : nil
  }
}
