internal import FoundationEssentials

/// Reads JSON.
///
/// Containers are read with the stack of ``PlistTreeBuilder``. Places are byte offsets until the
/// end: lines and columns are counted only for an error and for warnings.
struct JSONReader {
  private var scanner: JSONScanner
  private var builder: PlistTreeBuilder
  /// Where the open containers begin.
  private var starts: [Int] = []
  /// Whether nothing has been read of the innermost container but its opening bracket.
  private var isAtStart = false

  /// Reads a whole document.
  static func read(
    _ data: Data, options: PlistReadOptions
  ) throws(PlistError) -> (PlistValue, [PlistWarning]) {
    let result = data.withUnsafeBytes { bytes in
      Result { () throws(PlistError) in try read(bytes, options: options) }
    }
    return try result.get()
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, options: PlistReadOptions
  ) throws(PlistError) -> (PlistValue, [PlistWarning]) {
    guard !bytes.isWideText else { throw PlistError(.unsupportedUnicodeEncoding) }
    let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = UnsafeRawBufferPointer(rebasing: bytes[mark...])
    var reader = JSONReader(text, options: options)
    do {
      let root = try reader.readDocument()
      return (root, TextCursor.locate(reader.builder.warnings, in: text))
    } catch {
      throw PlistError(
        error, at: reader.scanner.place.map { TextCursor.location(of: $0, in: text) },
        keyPath: reader.builder.keyPath)
    }
  }

  private init(_ text: UnsafeRawBufferPointer, options: PlistReadOptions) {
    scanner = JSONScanner(text)
    builder = PlistTreeBuilder(limits: options.limits)
  }

  private mutating func readDocument() throws(PlistError.Kind) -> PlistValue {
    scanner.skipSpace()
    guard scanner.next != nil else { throw .empty }
    try readValue(expected: "a value")
    while let isInDictionary = builder.isInDictionary {
      try readNext(inDictionary: isInDictionary)
    }
    scanner.skipSpace()
    guard scanner.next == nil else { throw unexpected("the end of the document") }
    guard let root = builder.root else { preconditionFailure("a document without a root") }
    return root
  }

  // MARK: Containers

  /// Reads on in the innermost container: a value, in a dictionary with its key, or the end.
  @inline(__always)
  private mutating func readNext(inDictionary: Bool) throws(PlistError.Kind) {
    scanner.skipSpace()
    if scanner.skip(inDictionary ? "}" : "]") {
      isAtStart = false
      starts.removeLast()
      return builder.attach(builder.close())
    }
    var expected: String
    if isAtStart {
      isAtStart = false
      expected = inDictionary ? "a key or }" : "a value or ]"
    } else {
      guard scanner.skip(",") else { throw unexpected(inDictionary ? ", or }" : ", or ]") }
      scanner.skipSpace()
      expected = inDictionary ? "a key" : "a value"
    }
    if inDictionary {
      try readKey(expected: expected)
      expected = "a value"
    }
    try readValue(expected: expected)
  }

  @inline(__always)
  private mutating func readKey(expected: String) throws(PlistError.Kind) {
    let start = scanner.offset
    guard scanner.next == UInt8(ascii: "\"") else { throw unexpected(expected) }
    let key = try scanner.string()
    scanner.place = start
    try builder.key(key, at: .byte(start))
    scanner.skipSpace()
    guard scanner.skip(":") else { throw unexpected(":") }
    scanner.skipSpace()
  }

  /// Reads a leaf, or the opening bracket of a container.
  @inline(__always)
  private mutating func readValue(expected: String) throws(PlistError.Kind) {
    let start = scanner.offset
    guard let byte = scanner.next else { throw unexpected(expected) }
    let value: PlistValue
    switch byte {
    case UInt8(ascii: "\""):
      value = .string(try scanner.string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      value = try scanner.number()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      scanner.place = start
      try builder.open(dictionary: byte == UInt8(ascii: "{"))
      starts.append(start)
      isAtStart = true
      return scanner.skip()
    case UInt8(ascii: "t") where scanner.skip(word: "true"):
      value = .boolean(true)
    case UInt8(ascii: "f") where scanner.skip(word: "false"):
      value = .boolean(false)
    case UInt8(ascii: "n") where scanner.skip(word: "null"):
      value = .null
    default:
      throw unexpected(expected)
    }
    scanner.place = start
    try builder.add(value)
  }

  /// The error of what comes next; at the end, that is the container that nothing closes.
  private mutating func unexpected(_ expected: String) -> PlistError.Kind {
    if scanner.next == nil, let start = starts.last {
      scanner.place = start
      return .unterminated(builder.isInDictionary == true ? "the dictionary" : "the array")
    }
    return scanner.unexpected(expected)
  }
}
