internal import FoundationEssentials

/// A document that libxml2 reads in pieces.
struct XMLInput {
  /// The document from its first character on.
  private let bytes: UnsafeRawBufferPointer
  /// Whether the document begins with a UTF-8 byte-order mark.
  let hasUTF8Mark: Bool
  /// The position of the first character in the document.
  let origin: XMLPosition
  private let markupLimit: Int

  /// The number of bytes that libxml2 has read, now and at the last event.
  private var readCount = 0
  private var readCountAtEvent = 0
  /// The number of bytes that ``countMarkup()`` has examined, and of those since the last event
  /// that are not white space.
  private var examinedCount = 0
  private var markupCount = 0

  /// - Parameters:
  ///   - document: The whole document, which must outlive the input.
  ///   - origin: The position at which it begins.
  ///   - markupLimit: The number of bytes of markup that may be read without an event.
  init(_ document: UnsafeRawBufferPointer, from origin: XMLPosition, markupLimit: Int) {
    hasUTF8Mark = document.starts(with: [0xEF, 0xBB, 0xBF])
    var rest = hasUTF8Mark ? document[3...] : document[...]
    var origin = origin
    while let byte = rest.first, byte.isXMLSpace {
      origin.advance(over: byte)
      rest.removeFirst()
    }
    self.origin = origin
    self.markupLimit = markupLimit
    bytes = UnsafeRawBufferPointer(rebasing: rest)
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether libxml2 has read all bytes.
  var isAtEnd: Bool { readCount == bytes.count }

  /// The bytes that libxml2 has not read.
  var unread: Slice<UnsafeRawBufferPointer> { bytes[readCount...] }

  /// Marks the bytes so far as belonging to events.
  @inline(__always)
  mutating func markEvent() {
    readCountAtEvent = readCount
  }

  /// Copies the next bytes into a buffer and returns their number, 0 at the end; nil if the limit
  /// on markup is exceeded.
  mutating func read(into buffer: UnsafeMutableRawPointer, capacity: Int) -> Int? {
    var allowance = markupLimit - (readCount - readCountAtEvent)
    if allowance <= 0 { allowance = markupLimit - countMarkup() }
    let count = min(capacity, bytes.count - readCount, max(allowance, 0))
    if count == 0 && !isAtEnd { return nil }
    buffer.copyMemory(from: bytes.baseAddress! + readCount, byteCount: count)
    readCount += count
    return count
  }

  /// Counts the bytes since the last event that are not white space, of which any amount is allowed
  /// around the root element.
  private mutating func countMarkup() -> Int {
    if examinedCount < readCountAtEvent {
      examinedCount = readCountAtEvent
      markupCount = 0
    }
    for byte in bytes[examinedCount..<readCount] where !byte.isAllowedAfterXMLEnd {
      markupCount += 1
    }
    examinedCount = readCount
    return markupCount
  }
}

extension UInt8 {
  /// Whether the byte is allowed after the root element and its comments: white space or NUL.
  var isAllowedAfterXMLEnd: Bool { self == 0 || isXMLSpace }
}

extension Data {
  /// The document without white space between a UTF-16 byte-order mark and the first character,
  /// which libxml2 does not allow before an XML declaration, and the position of that character.
  var withoutSpaceAfterUTF16Mark: (Data, XMLPosition) {
    var position = XMLPosition()
    let lowByte: Int
    switch (first, dropFirst().first) {
    case (0xFE, 0xFF): lowByte = 1
    case (0xFF, 0xFE): lowByte = 0
    default: return (self, position)
    }
    var rest = dropFirst(2)
    while rest.count >= 2 {
      let unit = [rest[rest.startIndex], rest[rest.startIndex + 1]]
      guard unit[1 - lowByte] == 0, unit[lowByte].isXMLSpace else { break }
      position.advance(over: unit[lowByte])
      rest = rest.dropFirst(2)
    }
    return rest.count + 2 == count ? (self, position) : (prefix(2) + rest, position)
  }
}
