internal import FoundationEssentials

/// Reads JSON.
struct JSONReader: TextFormatReader {
  var scanner: JSONScanner
  private(set) var builder: PlistTreeBuilder
  private(set) var starts: [Int] = []
  /// Whether only the opening bracket of the innermost container has been read.
  private var isAtStart = false

  /// Reads a whole document.
  static func read(
    _ data: Data, options: PlistReadOptions
  ) throws(PlistError) -> ReadText {
    let result = data.withUnsafeBytes { bytes in
      Result { () throws(PlistError) in
        guard !bytes.isWideText else { throw PlistError(.unsupportedUnicodeEncoding) }
        let markLength = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        return try read(
          text: UnsafeRawBufferPointer(rebasing: bytes[markLength...]), options: options)
      }
    }
    return try result.get()
  }

  init(_ text: UnsafeRawBufferPointer, options: PlistReadOptions) {
    scanner = JSONScanner(text)
    builder = PlistTreeBuilder(limits: options.limits, recordsIndex: options.needsIndex)
  }

  mutating func read() throws(PlistError.Kind) {
    scanner.skipSpace()
    guard scanner.next != nil else { throw .empty }
    try readValue(expected: "a value")
    while let isInDictionary = builder.isInDictionary {
      try readNext(inDictionary: isInDictionary)
    }
    scanner.skipSpace()
    guard scanner.next == nil else { throw unexpected("the end of the document") }
  }

  static func refine(
    _ error: PlistError.Kind, at offset: Int, in text: UnsafeRawBufferPointer
  ) -> (PlistError.Kind, at: Int) {
    (
      text.hasBytes("//", at: offset) || text.hasBytes("/*", at: offset) ? .jsonComment : error,
      offset
    )
  }

  // MARK: Containers

  /// Reads the next value of the innermost container, with its key in a dictionary, or the end of
  /// the container.
  @inline(__always)
  private mutating func readNext(inDictionary: Bool) throws(PlistError.Kind) {
    scanner.skipSpace()
    if scanner.skip(inDictionary ? "}" : "]") {
      isAtStart = false
      starts.removeLast()
      return builder.attach(builder.close(at: scanner.offset - 1..<scanner.offset))
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
    let end = scanner.offset
    scanner.errorOffset = start
    try builder.key(key, at: .byte(start), to: end)
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
      if scanner.hasUnderflow {
        scanner.hasUnderflow = false
        builder.warn(.underflow, at: .byte(start))
      }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      scanner.errorOffset = start
      try builder.open(
        dictionary: byte == UInt8(ascii: "{"), at: start, contents: start + 1)
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
    scanner.errorOffset = start
    try builder.add(value, from: start, to: scanner.offset)
  }
}
