/// Writing the first values of an empty container.
extension TextEditor {
  /// Writes the first values into a container.
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
      let (before, after) =
        style.isInline ? (padding, padding) : (gap, style.lineBreak + outer)
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

  private static func sorted(
    _ insertions: [ContentChange.Insertion]
  ) -> [ContentChange.Insertion] {
    insertions.sorted { ($0.key ?? "").precedesInCodeUnits($1.key ?? "") }
  }

  /// A strings table without entries.
  var emptyTable: [UInt8] {
    Array("/* no entries */".utf8) + text.lineBreak(before: bytes.count)
  }

  /// Writes the first entries of a strings table after its comments, or instead of the comment that
  /// there are none.
  private mutating func fillTable(with new: [UInt8], _ style: EntryStyle) {
    if bytes == emptyTable {
      return replacements.append(TextReplacement(bytes.indices, new))
    }
    let needsLine = bytes.last.map { !IndexedText.isLineBreak($0) } ?? false
    replacements.append(
      TextReplacement(bytes.count..<bytes.count, (needsLine ? style.lineBreak : []) + new))
  }
}
