internal import FoundationEssentials

/// Writes XML property lists, byte for byte as Apple's writers do but for three points: reals have the
/// fewest digits that read back, -0.0 keeps its sign, and a carriage return is written as `&#13;`,
/// which XML readers do not turn into a line feed.
struct XMLPlistWriter: DocumentWriter, ~Copyable {
  private let root: PlistValue
  private let options: PlistWriteOptions
  private var output = OutputBuffer()
  /// The containers around the one that is being written, and how many are open in all.
  private var walks: [Walk] = []
  private var level = 0
  private var nodes: NodeCount
  private var shapes: [KnownShape.Place: KnownShape] = [:]

  /// A container in the middle of the walk.
  private struct Walk {
    var container: ContainerCursor
    /// Where a dictionary's keys are, and what is known of dictionaries with these keys there.
    var place: KnownShape.Place?
    var known: KnownShape?
    /// Where the lines of the first keys have been written, unless that is known.
    var lines: [Range<Int>] = []
  }

  /// Dictionaries that share their keys have these in the same order and, at the same level, in the same
  /// lines.
  private struct KnownShape {
    struct Place: Hashable {
      let shape: ObjectIdentifier
      let level: Int
    }

    let positions: [Int]?
    /// Where the lines of the first keys are in the output.
    let lines: [Range<Int>]

    /// The lines of more keys are not worth their memory.
    static let mostLines = 64
  }

  init(_ root: PlistValue, options: PlistWriteOptions) {
    self.root = root
    self.options = options
    nodes = NodeCount(limits: options.limits)
  }

  var keyPath: PlistKeyPath { PlistKeyPath(components: walks.map(\.container.component)) }

  consuming func data() -> Data { output.data() }

  mutating func write() throws(PlistError.Kind) {
    output.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
    if let walk = try write(root) { walks.append(walk) }
    while var walk = walks.popLast() {
      do {
        try writeValues(of: &walk)
      } catch {
        walks.append(walk)
        throw error
      }
    }
    output.append("</plist>\n")
    try checkSize()
  }

  /// Writes the rest of a container; where another opens within it, both go on the stack.
  private mutating func writeValues(of walk: inout Walk) throws(PlistError.Kind) {
    while let value = walk.container.next() {
      if walk.place != nil { try writeKey(of: &walk) }
      if let inner = try write(value) {
        walks.append(walk)
        walks.append(inner)
        return
      }
    }
    if let place = walk.place, walk.known == nil {
      shapes[place] = KnownShape(positions: walk.container.positions, lines: walk.lines)
    }
    level -= 1
    indent(level)
    output.append(walk.container.kind == .dictionary ? "</dict>\n" : "</array>\n")
  }

  @inline(__always)
  private mutating func writeKey(of walk: inout Walk) throws(PlistError.Kind) {
    let index = walk.container.index
    let key = walk.container.key(at: index)
    try nodes.add(key: key)
    if let known = walk.known, index < known.lines.count {
      return output.appendAgain(known.lines[index])
    }
    let start = output.count
    try writeLine(ofKey: key)
    if index < KnownShape.mostLines, walk.known == nil {
      walk.lines.append(start..<output.count)
    }
  }

  private mutating func writeLine(ofKey key: String) throws(PlistError.Kind) {
    indent(level)
    output.append("<key>")
    try write(text: key)
    output.append("</key>\n")
  }

  @inline(__always)
  private func checkSize() throws(PlistError.Kind) {
    if output.count > options.limits.maximumSize {
      throw .tooLarge(limit: options.limits.maximumSize)
    }
  }

  /// Writes a leaf, or the start tag of a container and gives that container, unless it is empty.
  private mutating func write(_ value: PlistValue) throws(PlistError.Kind) -> Walk? {
    try nodes.add(value)
    try checkSize()
    indent(level)
    switch value {
    case .dictionary(let dictionary):
      if Self.readsAsUID(dictionary) { throw .wouldBecomeUID }
      return try open(dictionary)
    case .array(let elements):
      guard try open(tag: "array", isEmpty: elements.isEmpty) else { return nil }
      return Walk(container: ContainerCursor(elements))
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
    return nil
  }

  private mutating func open(_ dictionary: PlistDictionary) throws(PlistError.Kind) -> Walk? {
    guard try open(tag: "dict", isEmpty: dictionary.isEmpty) else { return nil }
    let place = KnownShape.Place(shape: ObjectIdentifier(dictionary.shape), level: level)
    if let known = shapes[place] {
      return Walk(
        container: ContainerCursor(dictionary, positions: known.positions), place: place,
        known: known)
    }
    return Walk(container: ContainerCursor(dictionary, order: options.keyOrder), place: place)
  }

  /// Writes the start tag of a container, and says whether anything follows in it.
  private mutating func open(
    tag: StaticString, isEmpty: Bool
  ) throws(PlistError.Kind) -> Bool {
    guard level < options.limits.maximumDepth else {
      throw .tooDeep(limit: options.limits.maximumDepth)
    }
    output.append("<")
    output.append(tag)
    output.append(isEmpty ? "/>\n" : ">\n")
    if !isEmpty { level += 1 }
    return !isEmpty
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
    output.append(real: number)
    output.append("</real>\n")
  }

  private mutating func write(_ date: Date) throws(PlistError.Kind) {
    if date.timeIntervalSinceReferenceDate.isNaN { throw .notADate }
    guard let moment = ScalarText.Moment(date) else { throw .dateOutOfRange }
    let interval = date.timeIntervalSinceReferenceDate
    if options.rejectsFractionalSeconds, interval.rounded() != interval {
      throw .fractionalSeconds(.xml)
    }
    output.append("<date>")
    output.append(dayOf: moment)
    output.append("T")
    output.append(timeOf: moment)
    output.append("Z</date>\n")
  }

  /// Base64 in lines of 76 columns, of which the indentation takes eight a level; the lines, but not
  /// the tags, are never indented by more than eight tabs.
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

  /// Writes a UID as the dictionary that stands for it, which is a level to whoever reads it.
  private mutating func write(_ uid: UInt32) throws(PlistError.Kind) {
    guard level < options.limits.maximumDepth else {
      throw .tooDeep(limit: options.limits.maximumDepth)
    }
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
  private mutating func indent(_ level: Int) {
    output.append(repeating: 0x09, count: level)
  }

  // MARK: Text

  /// Writes a string or key with what XML takes for markup escaped.
  private mutating func write(text: String) throws(PlistError.Kind) {
    let failure = text.withBytes { bytes -> PlistError.Kind? in
      var position = 0
      while true {
        position = output.append(bytes, from: position, upTo: Self.notableMarks)
        if position == bytes.count { break }
        if let failure = write(notable: bytes, at: &position) { return failure }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Writes the character at a position, which begins with a notable byte, and goes behind it.
  @inline(never)
  private mutating func write(
    notable bytes: UnsafeRawBufferPointer, at position: inout Int
  ) -> PlistError.Kind? {
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "<"): output.append("&lt;")
    case UInt8(ascii: ">"): output.append("&gt;")
    case UInt8(ascii: "&"): output.append("&amp;")
    case 0x0D: output.append("&#13;")
    case 0x09, 0x0A: output.append(byte)
    case 0xEF:
      // U+FFFE and U+FFFF, the two above the surrogates that XML excludes, are EF BF BE and BF.
      if bytes[position + 1] == 0xBF, bytes[position + 2] >= 0xBE {
        return .unrepresentableCharacter(0xFF40 + UInt32(bytes[position + 2]), .xml)
      }
      output.append(UnsafeRawBufferPointer(rebasing: bytes[position..<position + 3]))
      position += 3
      return nil
    default:
      return .unrepresentableCharacter(UInt32(byte), .xml)
    }
    position += 1
    return nil
  }

  /// The highest bit of the lowest notable byte of a word, with perhaps others above it.
  ///
  /// A control character, `<`, `>`, `&` and EF, with which the characters begin that XML excludes,
  /// cannot simply be copied.
  @inline(__always)
  private static func notableMarks(_ word: UInt64) -> UInt64 {
    // `<` and `>` differ in one bit.
    let angles = (word & ~0x0202_0202_0202_0202).marks(of: UInt8(ascii: "<"))
    return word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "&")) | angles
      | word.marks(of: 0xEF)
  }
}
