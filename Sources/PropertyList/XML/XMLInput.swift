/// The document as libxml2 reads it: piece by piece, as its ``XMLStandIn``.
struct XMLInput {
  private let text: UnsafeRawBufferPointer
  /// The end of what libxml2 may read.
  private let end: Int
  private let markupLimit: Int

  /// The end of what libxml2 has read.
  private var position: Int
  private var characters: XMLCharacters
  /// The first defect of the encoding that the text was converted from.
  private let conversionDefect: XMLFailure?
  /// The position of ``defect``, or the end of the text if there is none.
  private(set) var validEnd: Int

  /// Whether libxml2 has read a part of the text that has control characters, which XML excludes.
  private(set) var hasControlCharacters = false

  /// The end of the last event.
  var eventEnd: Int
  /// The end of the XML declaration, if there is one.
  let declarationEnd: Int?
  /// The position of the first markup after an event, if it is known, and the end of what has been
  /// searched for it.
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
    // White space behind the declaration is not part of it, and is read before it is an event.
    searchEnd = declarationEnd.flatMap { $0 - text.start <= markupLimit ? $0 : nil } ?? text.start
    characters = XMLCharacters(text.bytes, from: text.start)
    conversionDefect = text.defect
    validEnd = min(text.defect?.offset ?? end, end)
  }

  /// The first defect of what libxml2 has read: bytes that are not valid in the encoding, or a
  /// character that XML allows nowhere.
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
      // Of markup within the limit, libxml2 must be able to read all and more.
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

  /// More than libxml2 wants to have read beyond what it parses.
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

/// The stand-in of a document that libxml2 reads: ASCII of the same length, with the same markup.
/// libxml2 never sees a reference, a character that XML excludes, or an encoding, none of which all
/// of its versions treat alike, and offsets in it are offsets in the document.
enum XMLStandIn {
  /// Replaces a byte of a character beyond ASCII: a letter, since names may have such characters.
  private static let letter = UInt8(ascii: "x")
  /// Replaces `&` and control characters: a character that is allowed in text and attributes but not
  /// in names.
  private static let sign = UInt8(ascii: "~")

  /// Copies bytes of a document and replaces those that libxml2 must not see.
  ///
  /// A carriage return becomes a space, so that it is also white space within tags.
  ///
  /// - Returns: Whether all bytes are ASCII other than NUL, and whether some are control characters
  /// that XML excludes.
  static func copy(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer
  ) -> (isASCII: Bool, hasControlCharacters: Bool) {
    guard let base = source.baseAddress else { return (true, false) }
    // The compiler makes vector instructions of a loop without branches over typed pointers.
    let source = UnsafeBufferPointer(
      start: base.assumingMemoryBound(to: UInt8.self), count: source.count)
    let target = target.assumingMemoryBound(to: UInt8.self)
    // The highest bit is that of any byte that is not ASCII, or below a NUL.
    var bits: UInt8 = 0
    var controlBits: UInt8 = 0
    for index in source.indices {
      let byte = source[index]
      bits |= byte | (byte &- 1)
      var result = byte
      if byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == UInt8(ascii: "&") { result = sign }
      if byte == 0x0D { result = UInt8(ascii: " ") }
      if byte >= 0x80 { result = letter }
      // The highest bit is set if the byte is below a space and has become a sign.
      controlBits |= (byte &- 0x20) & ~byte & (result << 1)
      target[index] = result
    }
    return (bits < 0x80, controlBits >= 0x80)
  }
}
