internal import FoundationEssentials

/// Writes XML property lists, byte for byte as Apple's writers do but for three points: reals have the
/// fewest digits that read back, -0.0 keeps its sign, and a carriage return is written as `&#13;`,
/// which XML readers do not turn into a line feed.
struct XMLPlistWriter: ~Copyable {
  private let options: PlistWriteOptions
  private var output = OutputBuffer()
  private var containers: [OpenContainer] = []
  private var nodes: NodeCount

  /// Writes a whole document.
  static func write(
    _ value: PlistValue, options: PlistWriteOptions
  ) throws(PlistError) -> Data {
    var writer = XMLPlistWriter(options: options)
    do {
      try writer.write(document: value)
    } catch {
      throw PlistError(error, keyPath: PlistKeyPath(components: writer.containers.map(\.component)))
    }
    return writer.output.data()
  }

  private init(options: PlistWriteOptions) {
    self.options = options
    nodes = NodeCount(limits: options.limits)
  }

  private mutating func write(document value: PlistValue) throws(PlistError.Kind) {
    output.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
    try write(value)
    while let last = containers.indices.last {
      if let next = containers[last].next() {
        if containers[last].kind == .dictionary {
          let key = containers[last].key(at: containers[last].index)
          indent(containers.count)
          try nodes.add(key: key)
          output.append("<key>")
          try write(text: key)
          output.append("</key>\n")
        }
        try write(next)
      } else {
        let closed = containers.removeLast()
        indent(containers.count)
        output.append(closed.kind == .dictionary ? "</dict>\n" : "</array>\n")
      }
    }
    output.append("</plist>\n")
    try checkSize()
  }

  private func checkSize() throws(PlistError.Kind) {
    if output.count > options.limits.size { throw .tooLarge(limit: options.limits.size) }
  }

  /// Writes a leaf, or a container's start tag.
  private mutating func write(_ value: PlistValue) throws(PlistError.Kind) {
    try nodes.add(value)
    try checkSize()
    indent(containers.count)
    switch value {
    case .dictionary(let dictionary):
      if Self.readsAsUID(dictionary) { throw .wouldBecomeUID }
      try open(OpenContainer(dictionary, order: options.keyOrder), tag: "dict")
    case .array(let elements):
      try open(OpenContainer(elements), tag: "array")
    case .string(let string):
      output.append("<string>")
      try write(text: string)
      output.append("</string>\n")
    case .integer(let number):
      write(integer: number)
    case .unsignedInteger(let number):
      write(integer: number)
    case .real(let number):
      write(real: number)
    case .float(let number):
      write(real: Double(number))
    case .boolean(let boolean):
      output.append(boolean ? "<true/>\n" : "<false/>\n")
    case .date(let date):
      try write(date)
    case .data(let data):
      write(data)
    case .uid(let uid):
      try write(uid)
    case .set, .null:
      throw .unrepresentableKind(value.kind, .xml)
    }
  }

  private mutating func open(
    _ container: OpenContainer, tag: StaticString
  ) throws(PlistError.Kind) {
    guard containers.count < options.limits.depth else {
      throw .tooDeep(limit: options.limits.depth)
    }
    output.append("<")
    output.append(tag)
    if container.isEmpty {
      output.append("/>\n")
    } else {
      output.append(">\n")
      containers.append(container)
    }
  }

  /// Whether a reader would take a dictionary for the spelling of a UID.
  private static func readsAsUID(_ dictionary: PlistDictionary) -> Bool {
    guard dictionary.count == 1 else { return false }
    switch dictionary["CF$UID"] {
    case .integer(let number)?: return UInt32(exactly: number) != nil
    case .unsignedInteger(let number)?: return UInt32(exactly: number) != nil
    default: return false
    }
  }

  // MARK: Leaves

  private mutating func write(integer number: some FixedWidthInteger) {
    output.append("<integer>")
    if number < 0 { output.append(UInt8(ascii: "-")) }
    output.append(decimal: UInt64(number.magnitude))
    output.append("</integer>\n")
  }

  private mutating func write(real number: Double) {
    output.append("<real>")
    output.append(ScalarText.text(of: number))
    output.append("</real>\n")
  }

  private mutating func write(_ date: Date) throws(PlistError.Kind) {
    if date.timeIntervalSinceReferenceDate.isNaN { throw .notADate }
    guard let moment = ScalarText.Moment(date) else { throw .dateOutOfRange }
    let interval = date.timeIntervalSinceReferenceDate
    if options.exact, interval.rounded() != interval { throw .fractionalSeconds(.xml) }
    output.append("<date>")
    output.append(dayOf: moment)
    output.append("T")
    output.append(timeOf: moment)
    output.append("Z</date>\n")
  }

  /// Base64 in lines of 76 columns, of which the indentation takes eight a level; the lines, but not
  /// the tags, are never indented by more than eight tabs.
  private mutating func write(_ data: Data) {
    let indentation = min(containers.count, 8)
    // Four characters for three bytes.
    let lineLength = (76 - 8 * indentation) / 4 * 3
    output.append("<data>\n")
    data.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: lineLength) {
        indent(indentation)
        let end = min(start + lineLength, bytes.count)
        Base64.encode(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), to: &output)
        output.append("\n")
      }
    }
    indent(containers.count)
    output.append("</data>\n")
  }

  /// Writes a UID as the dictionary that stands for it, which is a level to whoever reads it.
  private mutating func write(_ uid: UInt32) throws(PlistError.Kind) {
    let level = containers.count
    guard level < options.limits.depth else { throw .tooDeep(limit: options.limits.depth) }
    try nodes.add(.integer(Int64(uid)))
    output.append("<dict>\n")
    indent(level + 1)
    output.append("<key>CF$UID</key>\n")
    indent(level + 1)
    write(integer: uid)
    indent(level)
    output.append("</dict>\n")
  }

  private mutating func indent(_ level: Int) {
    output.append(repeating: 0x09, count: level)
  }

  // MARK: Text

  /// Writes a string or key with what XML takes for markup escaped.
  private mutating func write(text: String) throws(PlistError.Kind) {
    let failure = text.withBytes { bytes -> PlistError.Kind? in
      var written = 0
      var position = 0
      while true {
        position = Self.nextNotable(in: bytes, from: position)
        if position == bytes.count { break }
        let escape: StaticString
        switch bytes[position] {
        case UInt8(ascii: "<"): escape = "&lt;"
        case UInt8(ascii: ">"): escape = "&gt;"
        case UInt8(ascii: "&"): escape = "&amp;"
        case 0x0D: escape = "&#13;"
        case 0x09: escape = "\t"
        case 0x0A: escape = "\n"
        case 0xEF:
          // U+FFFE and U+FFFF, the two above the surrogates that XML excludes, are EF BF BE and BF.
          if bytes[position + 1] == 0xBF, bytes[position + 2] >= 0xBE {
            return .unrepresentableCharacter(0xFF40 + UInt32(bytes[position + 2]), .xml)
          }
          position += 3
          continue
        default: return .unrepresentableCharacter(UInt32(bytes[position]), .xml)
        }
        output.append(UnsafeRawBufferPointer(rebasing: bytes[written..<position]))
        output.append(escape)
        position += 1
        written = position
      }
      output.append(UnsafeRawBufferPointer(rebasing: bytes[written...]))
      return nil
    }
    if let failure { throw failure }
  }

  /// The first byte, from a position on, that cannot simply be copied: a control character, `<`, `>`,
  /// `&` or EF, with which the characters begin that XML excludes; the end where there is none.
  private static func nextNotable(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position + 8 <= bytes.count {
      let marks = notableMarks(bytes.word(at: position))
      if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
      position += 8
    }
    let marks = notableMarks(bytes.lastWord(of: bytes.count - position))
    return min(position + marks.trailingZeroBitCount / 8, bytes.count)
  }

  /// The highest bit of the lowest notable byte of a word, with perhaps others above it.
  @inline(__always)
  private static func notableMarks(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    /// Marks the lowest byte that is less than a limit, of those below 80.
    func bytes(below limit: UInt64, in word: UInt64) -> UInt64 {
      (word &- limit &* ones) & ~word
    }
    let marks =
      bytes(below: 0x20, in: word)
      | bytes(below: 1, in: word ^ 0x26 &* ones)
      // `<` and `>` differ in one bit.
      | bytes(below: 1, in: word & ~(0x02 &* ones) ^ 0x3C &* ones)
      | bytes(below: 1, in: word ^ 0xEF &* ones)
    return marks & (0x80 &* ones)
  }
}
