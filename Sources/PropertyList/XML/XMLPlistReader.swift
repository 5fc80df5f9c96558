internal import FoundationEssentials

/// Reads XML property lists. libxml2 finds the markup in an ``XMLStandIn`` of the document, without
/// the references, characters and encodings that its versions disagree about. Beyond
/// well-formedness, Apple's PropertyList-1.0 document type defines the rules, which are stricter
/// here where leniency would silently lose data. An ``XMLParser`` calls the reader for each tag in
/// document order; an error ends the parse.
struct XMLPlistReader: ~Copyable {
  private let text: UnsafeRawBufferPointer
  private let options: PlistReadOptions
  private var builder: PlistTreeBuilder

  /// The open element that is not a container.
  private var leaf: PlistElement?
  /// The text of a leaf with references or CDATA sections.
  private var decoded = OutputBuffer()
  private var leafOffset = 0
  private var hasPlistElement = false
  /// Whether the text so far may have control characters, which XML excludes.
  var hasControlCharacters = false
  private var hasWarnedOfControlCharacter = false

  static func read(_ data: Data, options: PlistReadOptions) throws(PlistError) -> ReadText {
    try data.withBytes { bytes throws(PlistError) in
      try read(try XMLText.decode(bytes), options: options)
    }
  }

  private static func read(
    _ text: consuming XMLText, options: PlistReadOptions
  ) throws(PlistError) -> ReadText {
    guard text.start < text.end else { throw PlistError(.empty) }
    var reader = XMLPlistReader(text, options)
    if let failure = XMLParser.parse(text, limits: options.limits, reader: &reader) {
      throw PlistError(
        failure.kind, at: TextCursor.location(of: failure.offset, in: text.bytes),
        keyPath: reader.builder.keyPath)
    }
    guard let root = reader.builder.root else { throw PlistError(.notWellFormed(.elementExpected)) }
    return ReadText(
      root, reader.builder.warnings, reader.builder.index, in: text.bytes, options: options)
  }

  private init(_ text: borrowing XMLText, _ options: PlistReadOptions) {
    self.text = text.bytes
    self.options = options
    var limits = options.limits
    limits.maximumDepth = min(limits.maximumDepth, XMLParser.maximumDepth)
    builder = PlistTreeBuilder(limits: limits, recordsIndex: options.needsIndex)
    for warning in text.prolog.warnings { builder.warn(warning.kind, at: .byte(warning.offset)) }
  }

  /// Whether the innermost open element holds text.
  @inline(__always)
  var isInText: Bool { leaf?.holdsText == true }

  /// The innermost open element, for error texts.
  var surroundings: String {
    if let leaf { return leaf.tag }
    switch builder.isInDictionary {
    case true?: return PlistElement.dict.tag
    case false?: return PlistElement.array.tag
    case nil: return hasPlistElement ? PlistElement.plist.tag : "the document itself"
    }
  }

  // MARK: Elements

  /// Handles a start tag. The contents begin at its end, or at the `/>` of an empty element.
  @inline(__always)
  mutating func startElement(
    _ element: PlistElement, at offset: Int, contents: Int
  ) throws(PlistError.Kind) {
    if let leaf { throw .misplacedElement(element.rawValue, in: leaf.tag) }
    switch element {
    case .plist:
      guard !hasPlistElement, builder.depth == 0, builder.root == nil else {
        throw .misplacedElement(element.rawValue, in: surroundings)
      }
      hasPlistElement = true
      return
    case .key:
      guard builder.isInDictionary == true else {
        throw .misplacedElement(element.rawValue, in: surroundings)
      }
      if builder.awaitsValue { throw .valueExpected(found: element.tag) }
    default: try checkValueIsAllowed(element, at: offset)
    }

    switch element {
    case .dict, .array:
      try builder.open(dictionary: element == .dict, at: offset, contents: contents)
    default:
      leaf = element
      leafOffset = offset
    }
  }

  @inline(__always)
  private mutating func checkValueIsAllowed(
    _ element: PlistElement, at offset: Int
  ) throws(PlistError.Kind) {
    switch builder.isInDictionary {
    case true?:
      if !builder.awaitsValue { throw .keyExpected(found: element.tag) }
    case false?: break
    case nil:
      if builder.root != nil {
        throw .misplacedElement(element.rawValue, in: "<plist> after its value")
      }
      if !hasPlistElement { builder.warn(.noPlistElement, at: .byte(offset)) }
    }
  }

  /// Handles the end of the innermost open element.
  ///
  /// - Parameters:
  ///   - range: The content of an element that holds text. In any other element, only white space
  ///     stands before the end tag, which begins at the end of the range.
  ///   - end: The end of the element.
  @inline(__always)
  mutating func endElement(_ range: Range<Int>, end: Int) throws(XMLFailure) {
    let bytes = UnsafeRawBufferPointer(rebasing: text[range])
    switch leaf {
    case .string?, .key?:
      let (hasMarkup, isASCII) = bytes.examineContent()
      if hasMarkup { return try endDecodedElement(range, end: end) }
      if hasControlCharacters {
        return try endCheckedElement(range, end: end, bytes, isASCII: isASCII)
      }
      do { try add(bytes, isASCII: isASCII, at: range.lowerBound, end: end) } catch {
        throw failure(error, range)
      }
    case .none:
      do { try endContainer(range.upperBound..<end) } catch {
        throw failure(error, range)
      }
    default:
      // A reference must not be mistaken for characters that are ignored.
      if options.allowsMalformedBase64, bytes.needsDecoding {
        return try endDecodedElement(range, end: end)
      }
      do {
        try add(bytes, isASCII: true, at: range.lowerBound, end: end)
      } catch {
        // References are rare in scalars, so scalars are first parsed without decoding.
        if bytes.needsDecoding { return try endDecodedElement(range, end: end) }
        if error == .malformedBase64 {
          throw XMLFailure(kind: error, offset: range.lowerBound + Base64.defect(in: bytes))
        }
        throw failure(error, range)
      }
    }
    leaf = nil
  }

  /// Handles the end of a string or key that may have control characters.
  @inline(never)
  private mutating func endCheckedElement(
    _ range: Range<Int>, end: Int, _ bytes: UnsafeRawBufferPointer, isASCII: Bool
  ) throws(XMLFailure) {
    // A warning about a key has the key path of the key's value.
    let isKey = leaf == .key
    if !isKey { warnOfControlCharacter(in: bytes, range) }
    do { try add(bytes, isASCII: isASCII, at: range.lowerBound, end: end) } catch {
      throw failure(error, range)
    }
    if isKey { warnOfControlCharacter(in: bytes, range) }
    leaf = nil
  }

  private mutating func warnOfControlCharacter(
    in bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) {
    guard !hasWarnedOfControlCharacter,
      let position = bytes.firstIndex(where: \.isControlCharacter)
    else { return }
    hasWarnedOfControlCharacter = true
    // The text may be shorter than its references.
    let offset = min(range.lowerBound + position, range.upperBound)
    builder.warn(.controlCharacter(bytes[position]), at: .byte(offset))
  }

  /// Handles the end of a leaf with references or CDATA sections.
  private mutating func endDecodedElement(_ range: Range<Int>, end: Int) throws(XMLFailure) {
    try decode(range)
    try endCheckedElement(range, end: end, decoded.bytes, isASCII: decoded.bytes.isASCII)
  }

  private func failure(_ kind: PlistError.Kind, _ range: Range<Int>) -> XMLFailure {
    XMLFailure(kind: kind, offset: isInText ? range.lowerBound : range.upperBound)
  }

  /// Adds the leaf with its text, which is at a position.
  @inline(__always)
  private mutating func add(
    _ bytes: UnsafeRawBufferPointer, isASCII: Bool, at position: Int, end: Int
  ) throws(PlistError.Kind) {
    switch leaf {
    case .key?: try builder.key(bytes, at: .byte(leafOffset), to: end)
    case .string?:
      try builder.add(
        .string(isASCII ? String(ascii: bytes) : String(utf8: bytes)), from: leafOffset, to: end)
    case .true?: try builder.add(.boolean(true), from: leafOffset, to: end)
    case .false?: try builder.add(.boolean(false), from: leafOffset, to: end)
    case .integer?: try builder.add(NumberText.integer(bytes), from: leafOffset, to: end)
    case .real?:
      var isUnderflow = false
      let number = try NumberText.real(bytes, underflow: &isUnderflow)
      if isUnderflow { builder.warn(.underflow, at: .byte(position)) }
      try builder.add(.real(number), from: leafOffset, to: end)
    case .date?: try builder.add(.date(date(bytes, at: position)), from: leafOffset, to: end)
    case .data?: try builder.add(.data(data(bytes, at: position)), from: leafOffset, to: end)
    case .dict?, .array?, .plist?, nil:
      break  // Only other elements are leaves.
    }
  }

  private mutating func date(
    _ bytes: UnsafeRawBufferPointer, at position: Int
  ) throws(PlistError.Kind) -> Date {
    do {
      return try UTCDateTime.date(bytes, lenient: false)
    } catch {
      guard options.allowsLenientDates, error == .malformedDate else { throw error }
      let date = try UTCDateTime.date(bytes, lenient: true)
      builder.warn(.lenientDate, at: .byte(position))
      return date
    }
  }

  private mutating func data(
    _ bytes: UnsafeRawBufferPointer, at position: Int
  ) throws(PlistError.Kind) -> Data {
    if let data = Base64.decode(bytes) { return data }
    guard options.allowsMalformedBase64 else { throw .malformedBase64 }
    builder.warn(.malformedBase64, at: .byte(position + Base64.defect(in: bytes)))
    return Base64.decodeIgnoringDefects(bytes)
  }

  private mutating func endContainer(_ endTag: Range<Int>) throws(PlistError.Kind) {
    switch builder.isInDictionary {
    case true?:
      if builder.awaitsValue { throw .valueExpected(found: "</dict>") }
      let value = builder.close(at: endTag)
      if case .dictionary(let dictionary) = value, let uid = dictionary.uid {
        builder.attach(.uid(uid))
      } else {
        builder.attach(value)
      }
    case false?: builder.attach(builder.close(at: endTag))
    case nil:
      if builder.root == nil { throw .noValue }
    }
  }

  // MARK: Text

  /// Decodes the content of the leaf; throws the first malformed or undefined reference, or the
  /// first character or CDATA section that is not allowed.
  mutating func decode(_ range: Range<Int>) throws(XMLFailure) {
    decoded.truncate(to: 0)
    let content = XMLContent(text: text, range: range, isString: leaf == .string || leaf == .key)
    try content.decode(to: &decoded, in: surroundings)
  }

  /// Throws an error for anything between two tags that is not allowed: everything but white space
  /// and references to it.
  func checkSpace(_ range: Range<Int>) throws(XMLFailure) {
    let text = UnsafeRawBufferPointer(rebasing: text[..<range.upperBound])
    var position = range.lowerBound
    while position < text.count {
      let byte = text[position]
      if byte == UInt8(ascii: "&") {
        let reference = try XMLReference.decode(text, at: position, allowsControlCharacters: false)
        guard reference.scalar < 0x80, UInt8(reference.scalar).isXMLSpace else {
          throw XMLFailure(kind: .strayText(in: surroundings), offset: position)
        }
        position = reference.end
        continue
      }
      if byte.isControlCharacter {
        throw XMLFailure(kind: .notWellFormed(.invalidCharacter), offset: position)
      }
      guard byte.isXMLSpace else {
        throw XMLFailure(kind: .strayText(in: surroundings), offset: position)
      }
      position += 1
    }
  }

  // MARK: Other markup

  mutating func markup(_ markup: PlistError.Markup, at range: Range<Int>) throws(PlistError.Kind) {
    let isAllowed =
      switch markup {
      case .comment, .processingInstruction: leaf == nil
      case .cdata: leaf == .string || leaf == .key
      }
    if !isAllowed { throw .strayMarkup(markup, in: surroundings) }
    if markup == .comment { builder.addComment(range) }
  }
}
