internal import FoundationEssentials

/// Writes XML property lists, byte for byte like Apple's writers, except that reals have the fewest
/// digits that are read back as the same number, -0.0 keeps its sign, and a carriage return is
/// written as `&#13;`, which XML readers do not turn into a line feed.
struct XMLPlistWriter: DocumentWriter, ~Copyable {
  private let root: PlistValue
  private let options: PlistWriteOptions
  private var output = OutputBuffer()
  /// The open containers, except the one that is being written.
  private var frames: [Frame] = []
  private var level = 0
  private var nodes: NodeCount
  private var allowance: ExpansionLimit
  private var shapes: [KnownShape.Key: KnownShape] = [:]

  private struct Frame {
    var container: ContainerCursor
    /// Identifies the keys and the level of a dictionary, to find what is known about such
    /// dictionaries.
    var key: KnownShape.Key?
    var known: KnownShape?
    /// The lines of the first keys in the output, unless they are already known.
    var lines: [Range<Int>] = []
  }

  /// The order and the lines of the keys, which dictionaries with the same keys at the same level have
  /// in common. The lines save 26 % of the instructions for the document of `make counts`.
  private struct KnownShape {
    struct Key: Hashable {
      let shape: ObjectIdentifier
      let level: Int
    }

    let positions: [Int]?
    /// The lines of the first keys in the output.
    let lines: [Range<Int>]

    /// The lines of more keys would not be worth their memory.
    static let maximumLineCount = 64
  }

  init(_ root: PlistValue, options: PlistWriteOptions) {
    (self.root, self.options) = (root, options)
    nodes = NodeCount(limits: options.limits)
    allowance = ExpansionLimit(for: root, options: options)
  }

  var keyPath: PlistKeyPath { PlistKeyPath(components: frames.map(\.container.component)) }
  consuming func data() -> Data { output.data() }

  mutating func write() throws(PlistError.Kind) {
    output.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
    if let frame = try write(root) { frames.append(frame) }
    while var frame = frames.popLast() {
      do {
        try writeValues(of: &frame)
      } catch {
        frames.append(frame)
        throw error
      }
    }
    output.append("</plist>\n")
    try allowance.check(output.count)
  }

  /// Writes the remaining values of a container. At a nested container, both containers are pushed
  /// onto the stack.
  private mutating func writeValues(of frame: inout Frame) throws(PlistError.Kind) {
    while let value = frame.container.next() {
      if frame.key != nil { try writeKey(of: &frame) }
      if let inner = try write(value) {
        frames.append(frame)
        frames.append(inner)
        return
      }
    }
    if let key = frame.key, frame.known == nil {
      shapes[key] = KnownShape(positions: frame.container.positions, lines: frame.lines)
    }
    level -= 1
    indent(level)
    output.append(frame.container.kind == .dictionary ? "</dict>\n" : "</array>\n")
  }

  @inline(__always)
  private mutating func writeKey(of frame: inout Frame) throws(PlistError.Kind) {
    let index = frame.container.index
    let key = frame.container.key(at: index)
    try nodes.add(key: key)
    if let known = frame.known, index < known.lines.count {
      return output.appendAgain(known.lines[index])
    }
    let start = output.count
    try writeLine(ofKey: key)
    if index < KnownShape.maximumLineCount, frame.known == nil {
      frame.lines.append(start..<output.count)
    }
  }

  private mutating func writeLine(ofKey key: String) throws(PlistError.Kind) {
    indent(level)
    output.append("<key>")
    try write(text: key)
    output.append("</key>\n")
  }

  /// Writes a leaf, or the start tag of a container, which is returned unless it is empty.
  private mutating func write(_ value: PlistValue) throws(PlistError.Kind) -> Frame? {
    try nodes.add(value)
    try allowance.check(output.count)
    indent(level)
    switch value {
    case .dictionary(let dictionary):
      if dictionary.uid != nil { throw .wouldBecomeUID }
      return try open(dictionary)
    case .array(let elements):
      guard try open(tag: "array", isEmpty: elements.isEmpty) else { return nil }
      return Frame(container: ContainerCursor(elements))
    case .string(let string):
      output.append("<string>")
      try write(text: string)
      output.append("</string>\n")
    case .integer(let number): write(integer: number)
    case .unsignedInteger(let number): write(integer: number)
    case .real(let number): write(real: number)
    case .float(let number): write(real: Double(number))
    case .boolean(let boolean): output.append(boolean ? "<true/>\n" : "<false/>\n")
    case .date(let date): try write(date)
    case .data(let data): write(data)
    case .uid(let uid): try write(uid)
    case .set, .null: throw .unrepresentableKind(value.kind, .xml)
    }
    return nil
  }

  private mutating func open(_ dictionary: PlistDictionary) throws(PlistError.Kind) -> Frame? {
    guard try open(tag: "dict", isEmpty: dictionary.isEmpty) else { return nil }
    let key = KnownShape.Key(shape: ObjectIdentifier(dictionary.shape), level: level)
    if let known = shapes[key] {
      return Frame(
        container: ContainerCursor(dictionary, positions: known.positions), key: key,
        known: known)
    }
    return Frame(container: ContainerCursor(dictionary, order: options.keyOrder), key: key)
  }

  private mutating func open(tag: StaticString, isEmpty: Bool) throws(PlistError.Kind) -> Bool {
    try options.limits.checkDepth(level + 1)
    output.append("<")
    output.append(tag)
    output.append(isEmpty ? "/>\n" : ">\n")
    if !isEmpty { level += 1 }
    return !isEmpty
  }

  /// Returns the element of a value that is neither a container nor data nor a UID, with control
  /// characters unchanged.
  static func text(ofLeaf value: PlistValue) throws(PlistError.Kind) -> [UInt8] {
    var options = PlistWriteOptions()
    options.allowsControlCharacters = true
    var writer = XMLPlistWriter(value, options: options)
    _ = try writer.write(value)
    return Array(writer.output.bytes.dropLast())
  }

  private mutating func write(integer number: some FixedWidthInteger) {
    output.append("<integer>")
    if number < 0 { output.append(UInt8(ascii: "-")) }
    output.append(decimal: UInt64(number.magnitude))
    output.append("</integer>\n")
  }

  private mutating func write(real number: Double) {
    output.append("<real>")
    output.append(real: number)
    output.append("</real>\n")
  }

  private mutating func write(_ date: Date) throws(PlistError.Kind) {
    let dateTime = try UTCDateTime(date, for: .xml, options: options)
    output.append("<date>")
    output.append(dayOf: dateTime)
    output.append("T")
    output.append(timeOf: dateTime)
    output.append("Z</date>\n")
  }

  /// Writes base64 in lines of 76 columns, where a level of indentation takes eight. The lines,
  /// unlike the tags, are indented by at most eight tabs.
  private mutating func write(_ data: Data) {
    let indentation = min(level, 8)
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
    indent(level)
    output.append("</data>\n")
  }

  /// Writes a UID as a dictionary, which is a level of nesting.
  private mutating func write(_ uid: UInt32) throws(PlistError.Kind) {
    try options.limits.checkDepth(level + 1)
    try nodes.add(.integer(Int64(uid)))
    output.append("<dict>\n")
    indent(level + 1)
    output.append("<key>CF$UID</key>\n")
    indent(level + 1)
    write(integer: uid)
    indent(level)
    output.append("</dict>\n")
  }

  @inline(__always)
  private mutating func indent(_ level: Int) { output.append(repeating: 0x09, count: level) }

  /// Writes a string or key with markup characters escaped.
  private mutating func write(text: String) throws(PlistError.Kind) {
    let failure = text.withBytes { bytes -> PlistError.Kind? in
      var position = 0
      while true {
        position = output.append(bytes, from: position, upTo: Self.escapeMarks)
        if position == bytes.count { break }
        if let failure = write(escaping: bytes, at: &position) { return failure }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Writes the character at a position, which may need an escape, and moves the position after it.
  @inline(never)
  private mutating func write(
    escaping bytes: UnsafeRawBufferPointer, at position: inout Int
  ) -> PlistError.Kind? {
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "<"): output.append("&lt;")
    case UInt8(ascii: ">"): output.append("&gt;")
    case UInt8(ascii: "&"): output.append("&amp;")
    case 0x0D: output.append("&#13;")
    case 0x09, 0x0A: output.append(byte)
    case 0xEF:
      // XML excludes U+FFFE and U+FFFF, which are EF BF BE and EF BF BF.
      if bytes[position + 1] == 0xBF, bytes[position + 2] >= 0xBE {
        return .unrepresentableCharacter(0xFF40 + UInt32(bytes[position + 2]), .xml)
      }
      output.append(UnsafeRawBufferPointer(rebasing: bytes[position..<position + 3]))
      position += 3
      return nil
    case 1..<0x20 where options.allowsControlCharacters: output.append(byte)
    default: return .unrepresentableCharacter(UInt32(byte), .xml)
    }
    position += 1
    return nil
  }

  /// Marks the lowest byte of a word that cannot simply be copied, and perhaps higher bytes: a
  /// control character, `<`, `>`, `&`, or EF, the first byte of the characters that XML excludes.
  @inline(__always)
  private static func escapeMarks(_ word: UInt64) -> UInt64 {
    // `<` and `>` differ in one bit.
    let angles = (word & ~0x0202_0202_0202_0202).marks(of: UInt8(ascii: "<"))
    return word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "&")) | angles
      | word.marks(of: 0xEF)
  }
}
