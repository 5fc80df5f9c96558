/// The style of values and keys in a document.
struct StyleGuide {
  private let text: IndexedText
  private let format: PlistFormat
  private let isTable: Bool
  private let escapesNonASCII: Bool
  private let escapesSlash: Bool
  // The document's style, for values without neighbors that show a style.
  private var indentation: [UInt8] = []
  private var documentKeySeparator: EntryStyle.KeySeparator?
  private var documentKeyQuoting: EntryStyle.Quoting?
  private var endsWithComma = false

  init(_ text: IndexedText, _ format: PlistFormat, isTable: Bool, escapesNonASCII: Bool) {
    (self.text, self.format, self.isTable) = (text, format, isTable)
    self.escapesNonASCII = escapesNonASCII
    escapesSlash =
      !text.bytes.contains(UInt8(ascii: "/"))
      || text.bytes.withUnsafeBytes { $0.firstPosition(of: "\\/", from: 0) } != nil
    indentation = nestingIndentation
    documentKeySeparator = firstResult(entries.indices, keySeparator)
    guard format == .openStep else { return }
    documentKeyQuoting = firstResult(entries.indices, keyQuoting)
    endsWithComma = firstResult(entries.indices, hasLastComma) ?? false
  }

  private var bytes: [UInt8] { text.bytes }
  private var entries: [DocumentIndex.Entry] { text.index.entries }

  /// Whether the value of the document is written on one line.
  var isRootInline: Bool {
    let root = entries[0].value
    switch format {
    case .xml: return !text.startsLine(root.lowerBound)
    case .json, .openStep, .binary: return !bytes[root].contains(where: IndexedText.isLineBreak)
    }
  }

  /// The style of the first neighbor that shows one; otherwise the document's.
  func style(of neighbors: [Int], at position: Int) -> EntryStyle {
    var style = EntryStyle(
      lineBreak: text.lineBreak(before: position), indentation: indentation,
      keySeparator: .sameLine([]))
    style.keySeparator =
      firstResult(neighbors, keySeparator) ?? documentKeySeparator ?? defaultKeySeparator
    style.escapesNonASCII = escapesNonASCII
    style.escapesSlash = escapesSlash
    if format == .openStep {
      style.keyQuoting =
        firstResult(neighbors, keyQuoting) ?? documentKeyQuoting ?? (isTable ? .double : .asNeeded)
      style.stringQuoting = firstResult(neighbors, stringQuoting) ?? style.keyQuoting
      style.endsWithComma = endsWithComma
      style.gap = [0x20]
    } else if format == .json, case .sameLine(let separator) = style.keySeparator,
      separator.last != UInt8(ascii: ":")
    {
      style.gap = [0x20]
    }
    return style
  }

  private func firstResult<Result>(
    _ entries: some Sequence<Int>, _ body: (Int) -> Result?
  ) -> Result? {
    for entry in entries {
      if let result = body(entry) { return result }
    }
    return nil
  }

  /// The style within a container on one line, if the first of some values that is a container of
  /// this kind is written on one; nil otherwise.
  func oneLineStyle(of kind: PlistValue.Kind, like neighbors: [Int]) -> EntryStyle? {
    let model = neighbors.first { number in
      let entry = entries[number]
      return entry.contents != nil && number + 1 < entry.next && kind == self.kind(of: entry)
    }
    guard let model, !bytes[entries[model].value].contains(where: IndexedText.isLineBreak),
      let contents = entries[model].contents
    else { return nil }
    let blocks = text.blocks(
      of: model, separatedBy: UInt8(ascii: format == .openStep && kind == .dictionary ? ";" : ","))
    var style = style(of: blocks.map(\.entry), at: contents.lowerBound)
    style.isInline = true
    if let first = blocks.first, let last = blocks.last {
      style.gap =
        blocks.count > 1
        ? blanks(first.range.upperBound..<blocks[1].range.lowerBound) : gap(of: first)
      style.padding = (
        blanks(contents.lowerBound..<first.range.lowerBound),
        blanks(last.range.upperBound..<contents.upperBound)
      )
    }
    return style
  }

  private func kind(of container: DocumentIndex.Entry) -> PlistValue.Kind {
    let start = container.value.lowerBound
    let mark = bytes[format == .xml ? start + 1 : start]
    return mark == UInt8(ascii: "{") || mark == UInt8(ascii: "d") ? .dictionary : .array
  }

  private func blanks(_ range: Range<Int>) -> [UInt8] {
    text.lineBreakCount(in: range) == 0 ? Array(bytes[range]) : []
  }

  /// The text between a key and its value; nil if there is no key, or a comment between them.
  private func keySeparator(_ number: Int) -> EntryStyle.KeySeparator? {
    let entry = entries[number]
    guard entry.hasKey, !entry.value.isEmpty else { return nil }
    let separator = Array(bytes[entry.keyEnd..<entry.value.lowerBound])
    let mark: [UInt8] =
      switch format {
      case .xml, .binary: []
      case .json: [UInt8(ascii: ":")]
      case .openStep: [UInt8(ascii: "=")]
      }
    let hasLines = separator.contains(where: IndexedText.isLineBreak)
    guard separator.filter({ !$0.isOpenStepSpace }) == mark else { return nil }
    guard hasLines else { return .sameLine(separator) }
    guard format == .xml, text.startsLine(entry.value.lowerBound) else { return nil }
    let outer = text.indentation(at: entry.start)
    let inner = text.indentation(at: entry.value.lowerBound)
    return .ownLine(extra: inner.starts(with: outer) ? Array(inner.dropFirst(outer.count)) : [])
  }

  private var defaultKeySeparator: EntryStyle.KeySeparator {
    switch format {
    case .xml, .binary: isRootInline ? .sameLine([]) : .ownLine(extra: [])
    case .json: .sameLine(Array((isRootInline ? ":" : " : ").utf8))
    case .openStep: .sameLine(Array(" = ".utf8))
    }
  }

  private func keyQuoting(_ number: Int) -> EntryStyle.Quoting? {
    let entry = entries[number]
    return entry.hasKey ? quoting(entry.start..<entry.keyEnd) : nil
  }

  private func stringQuoting(_ number: Int) -> EntryStyle.Quoting? {
    let entry = entries[number]
    guard entry.contents == nil, let first = bytes[entry.value].first, first != UInt8(ascii: "<")
    else { return nil }
    return quoting(entry.value)
  }

  /// How a string is quoted; nil if it must be quoted anyway.
  private func quoting(_ range: Range<Int>) -> EntryStyle.Quoting? {
    let quote = bytes[range.lowerBound]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return .asNeeded }
    let content = bytes[range].dropFirst().dropLast()
    guard String(decoding: content, as: UTF8.self).isOpenStepWord else { return nil }
    return quote == UInt8(ascii: "'") ? .single : .double
  }

  /// The indentation added by one level of nesting, taken from the first container with a line for
  /// its values.
  private var nestingIndentation: [UInt8] {
    for (number, entry) in entries.enumerated() where entry.contents != nil {
      guard number + 1 < entry.next, !(isTable && number == 0) else { continue }
      let child = entries[number + 1].start
      guard text.startsLine(child) else { continue }
      let outer = text.indentation(at: entry.value.lowerBound)
      let inner = text.indentation(at: child)
      if inner.count > outer.count, inner.starts(with: outer) {
        return Array(inner.dropFirst(outer.count))
      }
    }
    return format == .json ? [0x20, 0x20] : [0x09]
  }

  /// Whether an array ends with a comma; nil for other values.
  private func hasLastComma(_ number: Int) -> Bool? {
    let entry = entries[number]
    guard let contents = entry.contents, number + 1 < entry.next,
      bytes[entry.value.lowerBound] == UInt8(ascii: "(")
    else { return nil }
    return text.blocks(of: number, separatedBy: UInt8(ascii: ",")).last?.separator != nil
      && !contents.isEmpty
  }

  /// The blanks between values on one line, taken from the only value on its line.
  func gap(of block: EntryBlock) -> [UInt8] {
    let entry = entries[block.entry]
    switch format {
    case .xml, .binary: return []
    case .json:
      let isSpaced =
        entry.hasKey
        ? bytes[entry.value.lowerBound - 1] != UInt8(ascii: ":")
        : text.blankStart(before: entry.start) < entry.start
      return isSpaced ? [0x20] : []
    case .openStep:
      let isSpaced =
        text.blankStart(before: block.range.lowerBound) < block.range.lowerBound
        || entry.hasKey && bytes[entry.keyEnd] == 0x20
      return isSpaced ? [0x20] : []
    }
  }
}

/// The style of values and keys, taken from others in the document.
struct EntryStyle {
  enum KeySeparator {
    case sameLine([UInt8])
    /// A line break, and the indentation of the key with some more.
    case ownLine(extra: [UInt8])
  }

  /// How strings of OpenStep text are quoted.
  enum Quoting {
    case asNeeded
    case double
    case single
  }

  var lineBreak: [UInt8]
  /// The indentation that a level of nesting adds.
  var indentation: [UInt8]
  /// Whether a container is written on one line.
  var isInline = false
  /// The blanks between values on one line.
  var gap: [UInt8] = []
  /// The blanks within the brackets of a dictionary on one line; nil for the gap in OpenStep text, and
  /// none in other formats.
  var padding: (start: [UInt8], end: [UInt8])?
  var keySeparator: KeySeparator
  var keyQuoting = Quoting.asNeeded
  var stringQuoting = Quoting.asNeeded
  /// Whether a `,` follows the last element of an array.
  var endsWithComma = false
  var escapesNonASCII = false
  var escapesSlash = true
}
