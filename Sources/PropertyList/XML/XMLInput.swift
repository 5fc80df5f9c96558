/// The document as libxml2 reads it: piece by piece, as its ``XMLStandIn``.
struct XMLInput {
  private let text: UnsafeRawBufferPointer
  /// The end of the bytes that libxml2 may read.
  private let end: Int
  private let markupLimit: Int

  /// The end of the bytes that libxml2 has read.
  private var position: Int
  private var characters: XMLCharacters
  /// The first defect of the encoding that the text was converted from.
  private let conversionDefect: XMLFailure?
  /// The position of ``defect``, or the end of the text if there is none.
  private(set) var validEnd: Int

  /// Whether the text that libxml2 has read contains control characters, which XML excludes.
  private(set) var hasControlCharacters = false

  var eventEnd: Int
  let declarationEnd: Int?
  /// The position of the first markup after an event, if it is known, and the end of the searched
  /// bytes. Without the end, the time to read a long text is quadratic: a string of 4 MB takes six
  /// times the instructions.
  private var markup: Int?
  private var searchEnd: Int

  /// - Parameter text: The text, which must outlive the input.
  init(_ text: borrowing XMLText, markupLimit: Int) {
    self.text = text.bytes
    end = text.end
    self.markupLimit = min(markupLimit, .max / 2)
    position = text.start
    eventEnd = text.start
    declarationEnd = XMLDeclaration.end(in: text.bytes, from: text.start)
    // White space after the declaration does not belong to it, and libxml2 reads it before the
    // declaration becomes an event.
    searchEnd = declarationEnd.flatMap { $0 - text.start <= markupLimit ? $0 : nil } ?? text.start
    characters = XMLCharacters(text.bytes, from: text.start)
    conversionDefect = text.defect
    validEnd = min(text.defect?.offset ?? end, end)
  }

  /// The first defect in the bytes that libxml2 has read: bytes that are invalid in the encoding,
  /// or a character that XML never allows.
  var defect: XMLFailure? {
    guard let defect = characters.defect else { return conversionDefect }
    guard let conversionDefect, conversionDefect.offset <= defect.offset else { return defect }
    return conversionDefect
  }

  /// Writes the next bytes to a buffer and returns their number, 0 at the end; nil if the markup at
  /// ``firstMarkup`` is too long.
  mutating func read(into buffer: UnsafeMutableRawPointer, capacity: Int) -> Int? {
    var count = min(capacity, end - position)
    if let firstMarkup {
      // If markup is within the limit, libxml2 must be able to read all of it, and some more.
      count = min(count, markupLimit + Self.lookahead - (position - firstMarkup))
    }
    if count <= 0 { return position == end ? 0 : nil }
    let piece = UnsafeRawBufferPointer(rebasing: text[position..<position + count])
    let (isASCII, hasControls) = XMLStandIn.copy(piece, to: buffer)
    if hasControls { hasControlCharacters = true }
    position += count
    if isASCII {
      characters.skip(upTo: position)
    } else {
      characters.check(upTo: position)
      if let defect { validEnd = min(defect.offset, end) }
    }
    return count
  }

  /// More than libxml2 needs to read ahead of what it parses.
  private static let lookahead = 4096

  /// The position of the first markup that libxml2 has read after the last event. Everything before
  /// it is text.
  var firstMarkup: Int? {
    mutating get {
      if let markup, markup >= eventEnd { return markup }
      let start = max(eventEnd, searchEnd)
      guard start < position else { return nil }
      let found = text.firstPosition(of: UInt8(ascii: "<"), in: start..<position)
      markup = found < position ? found : nil
      searchEnd = found
      return markup
    }
  }
}

/// The stand-in that libxml2 reads for a document: ASCII of the same length, with the same markup.
/// libxml2 never sees a reference, a character that XML excludes, or an encoding, because its
/// versions treat them differently. Offsets in the stand-in are offsets in the document.
enum XMLStandIn {
  /// Replaces a byte of a non-ASCII character: a letter, because names may contain such characters.
  private static let letter = UInt8(ascii: "x")
  /// Replaces `&` and control characters: a character that is allowed in text and attributes but not
  /// in names.
  private static let sign = UInt8(ascii: "~")

  /// Copies bytes of a document and replaces bytes that libxml2 must not see.
  ///
  /// A carriage return becomes a space, so that it is also white space within tags.
  ///
  /// - Returns: Whether all bytes are ASCII other than NUL, and whether some are control characters
  /// that XML excludes.
  static func copy(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer
  ) -> (isASCII: Bool, hasControlCharacters: Bool) {
    guard let base = source.baseAddress else { return (true, false) }
    // The compiler turns a loop without branches over typed pointers into vector instructions. A
    // switch over each byte takes 22 % more instructions in reading the XML of `make counts`, and
    // 160 % more in reading long texts.
    let source = UnsafeBufferPointer(
      start: base.assumingMemoryBound(to: UInt8.self), count: source.count)
    let target = target.assumingMemoryBound(to: UInt8.self)
    // The highest bit is set for any non-ASCII byte, and for NUL.
    var bits: UInt8 = 0
    var controlBits: UInt8 = 0
    for index in source.indices {
      let byte = source[index]
      bits |= byte | (byte &- 1)
      var result = byte
      if byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == UInt8(ascii: "&") { result = sign }
      if byte == 0x0D { result = UInt8(ascii: " ") }
      if byte >= 0x80 { result = letter }
      // The highest bit is set if the byte is lower than a space and was replaced by the sign.
      controlBits |= (byte &- 0x20) & ~byte & (result << 1)
      target[index] = result
    }
    return (bits < 0x80, controlBits >= 0x80)
  }
}
