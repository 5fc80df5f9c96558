internal import FoundationEssentials

/// Writes values and keys in the style of a document, for a place in its text. The format must be
/// able to represent the values.
struct FragmentWriter {
  let format: PlistFormat
  private var style: EntryStyle
  private(set) var output: [UInt8] = []

  init(_ format: PlistFormat, _ style: EntryStyle) { (self.format, self.style) = (format, style) }

  mutating func write(_ text: [UInt8]) { output += text }

  /// Writes a value on a line with this indentation, with the key and the separator of a dictionary
  /// if there is a key. Nested values may have another style.
  mutating func write(
    _ value: PlistValue, key: String?, indentation: [UInt8], contentStyle: EntryStyle? = nil
  ) throws(PlistError.Kind) {
    var inner = indentation
    if let key {
      try write(key: key)
      inner = writeKeySeparator(indentation)
    }
    let outerStyle = style
    if let contentStyle { style = contentStyle }
    defer { style = outerStyle }
    try write(value, indentation: inner)
    if key != nil, format == .openStep { output.append(UInt8(ascii: ";")) }
  }

  /// Writes a value on a line with this indentation; data in XML may be kept on that line.
  mutating func write(
    _ value: PlistValue, indentation: [UInt8], isOneLine: Bool = false
  ) throws(PlistError.Kind) {
    var walk = PlistTreeWalk(value, keyOrder: .sorted)
    var open: [[UInt8]] = []
    while let event = walk.next() {
      if case .close(let kind, _) = event {
        let indentation = open.removeLast()
        endContainer(kind, indentation)
        endEntry(walk)
        continue
      }
      var own = indentation
      if let container = open.last {
        own = container + style.indentation
        startEntry(walk, own)
        if let key = walk.key {
          try write(key: key)
          own = writeKeySeparator(own)
        }
      }
      switch event {
      case .open(let container):
        if writeEmpty(container) {
          walk.skipContents()
          endEntry(walk)
        } else {
          output += tag(container.kind, isEnd: false)
          open.append(own)
        }
      case .leaf(let leaf):
        try write(leaf: leaf, own, isOneLine: isOneLine || style.isInline)
        endEntry(walk)
      case .close: break
      }
    }
  }

  private mutating func writeKeySeparator(_ indentation: [UInt8]) -> [UInt8] {
    switch style.keySeparator {
    case .sameLine(let text):
      output += text
      return indentation
    case .ownLine(let extra):
      output += style.lineBreak + indentation + extra
      return indentation + extra
    }
  }

  /// Writes the text before a value in a new container.
  private mutating func startEntry(_ walk: PlistTreeWalk, _ indentation: [UInt8]) {
    if format != .xml, walk.index > 0, walk.containerKind != .dictionary || format == .json {
      output.append(UInt8(ascii: ","))
    }
    if !style.isInline {
      output += style.lineBreak + indentation
    } else if walk.index > 0 {
      output += style.gap
    } else {
      output += padding(of: walk.containerKind).start
    }
  }

  /// The blanks within the brackets of a container on one line.
  private func padding(of kind: PlistValue.Kind?) -> (start: [UInt8], end: [UInt8]) {
    guard kind == .dictionary else { return ([], []) }
    return style.padding ?? (format == .openStep ? (style.gap, style.gap) : ([], []))
  }

  /// Writes the text after a value in a new container.
  private mutating func endEntry(_ walk: PlistTreeWalk) {
    guard format == .openStep, let kind = walk.containerKind else { return }
    if kind == .dictionary {
      output.append(UInt8(ascii: ";"))
    } else if walk.isLast, style.endsWithComma {
      output.append(UInt8(ascii: ","))
    }
  }

  private mutating func endContainer(_ kind: PlistValue.Kind, _ indentation: [UInt8]) {
    output += style.isInline ? padding(of: kind).end : style.lineBreak + indentation
    output += tag(kind, isEnd: true)
  }

  private mutating func writeEmpty(_ container: PlistValue) -> Bool {
    guard container == [:] || container == [] else { return false }
    output +=
      format == .xml
      ? Array("<\(container.kind == .dictionary ? "dict" : "array")/>".utf8)
      : tag(container.kind, isEnd: false) + tag(container.kind, isEnd: true)
    return true
  }

  private func tag(_ kind: PlistValue.Kind, isEnd: Bool) -> [UInt8] {
    let isDictionary = kind == .dictionary
    switch format {
    case .xml: return Array("<\(isEnd ? "/" : "")\(isDictionary ? "dict" : "array")>".utf8)
    case .json: return Array((isDictionary ? isEnd ? "}" : "{" : isEnd ? "]" : "[").utf8)
    case .openStep, .binary:
      return Array((isDictionary ? isEnd ? "}" : "{" : isEnd ? ")" : "(").utf8)
    }
  }

  private mutating func write(key: String) throws(PlistError.Kind) {
    switch format {
    case .xml:
      let text = try XMLPlistWriter.text(ofLeaf: .string(key))
      output +=
        Array("<key>".utf8)
        + text.dropFirst("<string>".utf8.count)
        .dropLast("</string>".utf8.count) + Array("</key>".utf8)
    case .json: try write(json: .string(key))
    case .openStep, .binary: write(openStep: key, style.keyQuoting)
    }
  }

  private mutating func write(
    leaf: PlistValue, _ indentation: [UInt8], isOneLine: Bool
  ) throws(PlistError.Kind) {
    switch (format, leaf) {
    case (.xml, .data(let data)): write(xml: data, indentation, isOneLine: isOneLine)
    case (.xml, .uid(let uid)):
      try write(["CF$UID": .integer(Int64(uid))], indentation: indentation)
    case (.xml, _): output += try XMLPlistWriter.text(ofLeaf: leaf)
    case (.json, _): try write(json: leaf)
    case (_, .string(let string)): write(openStep: string, style.stringQuoting)
    default: output += try OpenStepWriter.text(ofLeaf: leaf)
    }
  }

  private mutating func write(json leaf: PlistValue) throws(PlistError.Kind) {
    let text = try JSONWriter.text(ofLeaf: leaf)
    guard !style.escapesSlash else {
      output += text
      return
    }
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        output.append(byte)
        continue
      }
      if next != UInt8(ascii: "/") { output.append(byte) }
      output.append(next)
    }
  }

  private mutating func write(openStep text: String, _ quoting: EntryStyle.Quoting) {
    if quoting == .asNeeded, text.isOpenStepWord {
      output += text.utf8
      return
    }
    var buffer = OutputBuffer(capacity: text.utf8.count + 2)
    buffer.append(openStepQuoted: text, isASCII: style.escapesNonASCII)
    var quoted = Array(buffer.bytes)
    if quoting == .single, !text.utf8.contains(UInt8(ascii: "'")) {
      quoted[0] = UInt8(ascii: "'")
      quoted[quoted.count - 1] = UInt8(ascii: "'")
    }
    output += quoted
  }

  /// Writes base64, in lines as ``XMLPlistWriter`` does.
  private mutating func write(xml data: Data, _ indentation: [UInt8], isOneLine: Bool) {
    output += Array("<data>".utf8)
    if isOneLine {
      output += data.base64EncodedString().utf8
    } else {
      let columns = indentation.reduce(0) { $0 + ($1 == 0x09 ? 8 : 1) }
      let length = (76 - min(columns, 64)) / 4 * 3
      for start in stride(from: 0, to: data.count, by: length) {
        output += style.lineBreak + indentation
        output += data.dropFirst(start).prefix(length).base64EncodedString().utf8
      }
      output += style.lineBreak + indentation
    }
    output += Array("</data>".utf8)
  }
}
