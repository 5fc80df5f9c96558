internal import CLibXML2
internal import FoundationEssentials

/// A parser of XML property lists on libxml2's SAX2 interface.
///
/// This is the only file that uses libxml2. The document is fed in pieces from memory, entities are
/// never defined and nothing is ever loaded. libxml2's own limits on size and depth are disabled in
/// favor of ``PlistLimits``. An error of libxml2 ends the parse, with one exception: control
/// characters in strings and keys, which XML excludes but Foundation writes, are passed on as text.
///
/// libxml2 calls back millions of times in a large document with the address of the parser.
/// Therefore this is a structure with a concrete reader, so that a callback neither retains and
/// releases objects nor checks exclusive access.
struct XMLParser: ~Copyable {
  private let reader: UnsafeMutablePointer<XMLPlistReader>
  private let limits: PlistLimits
  private let context: xmlParserCtxtPtr

  private var input: XMLInput

  /// The interned names of ``PlistElement``, which are compared with names of the document by
  /// address.
  private let names: UnsafeMutableBufferPointer<ElementName>
  private typealias ElementName = (address: UnsafePointer<xmlChar>?, element: PlistElement)
  /// The number of open elements.
  private var depth = 0
  /// The end of the last event, which is the start of the next, and the start of the content of the
  /// innermost element.
  private var lastEventEnd = XMLPosition()
  private var contentStart = XMLPosition()
  /// The first error, which ends the parse, and whether there is one.
  private var failure: PlistError?
  private var hasFailed = false
  /// Whether libxml2's decoder has met bytes that are invalid in the document's encoding.
  private var decoderFailed = false

  /// Parses a whole document.
  static func parse(
    _ data: Data, limits: PlistLimits, reader: inout XMLPlistReader
  ) throws(PlistError) {
    let (data, origin) = data.withoutSpaceAfterUTF16Mark
    let failure = data.withUnsafeBytes { bytes in
      withUnsafeMutablePointer(to: &reader) { reader in
        var parser = XMLParser(bytes, from: origin, limits: limits, reader: reader)
        guard !parser.input.isEmpty else { return PlistError(.empty) as PlistError? }
        return withUnsafeMutablePointer(to: &parser) { run($0) }
      }
    }
    if let failure { throw failure }
  }

  private init(
    _ bytes: UnsafeRawBufferPointer, from origin: XMLPosition, limits: PlistLimits,
    reader: UnsafeMutablePointer<XMLPlistReader>
  ) {
    Self.initializeLibrary
    self.reader = reader
    self.limits = limits

    input = XMLInput(bytes, from: origin, markupLimit: limits.maximumMarkupLength)

    let noUserData: UnsafeMutableRawPointer? = nil
    guard
      let context = xmlCreateIOParserCtxt(
        nil, noUserData, Self.read, nil, nil, XML_CHAR_ENCODING_NONE)
    else { fatalError("out of memory") }  // No other reason is possible.
    self.context = context
    let elements = PlistElement.allCases
    names = .allocate(capacity: elements.count)
    for (index, element) in elements.enumerated() {
      let name = element.rawValue
      let address = xmlDictLookup(context.pointee.dict, name, Int32(name.utf8.count))
      names.initializeElement(at: index, to: (address, element))
    }
  }

  deinit {
    names.deallocate()
    xmlFreeParserCtxt(context)
  }

  private static let initializeLibrary: Void = xmlInitParser()

  /// Runs the parser, which is accessed by its address alone because libxml2's callbacks change it
  /// by that address.
  private static func run(_ parser: UnsafeMutablePointer<XMLParser>) -> PlistError? {
    let context = parser.pointee.context
    // With OLDSAX libxml2 calls ``lookUpPredefinedEntity(_:)`` for every entity.
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_RECOVER.rawValue
      | XML_PARSE_OLDSAX.rawValue
    xmlCtxtUseOptions(context, Int32(options))
    // The callbacks never declare an entity, and with user data other than the context libxml2 does
    // not look one up elsewhere.
    context.pointee.sax.pointee = callbacks
    context.pointee.userData = UnsafeMutableRawPointer(parser)
    context.pointee.input.pointee.buf.pointee.context = UnsafeMutableRawPointer(parser)

    // Errors of the decoder are reported without the context, and would be printed. The handler is
    // thread-local; an earlier one is restored.
    let outerHandler = __xmlStructuredError().pointee
    let outerReference = __xmlStructuredErrorContext().pointee
    xmlSetStructuredErrorFunc(parser) { reference, _ in
      XMLParser.at(reference).pointee.decoderFailed = true
    }
    xmlParseDocument(context)
    xmlSetStructuredErrorFunc(outerReference, outerHandler)
    if !parser.pointee.hasFailed { parser.pointee.checkEnd() }
    return parser.pointee.failure
  }

  /// Fails for what libxml2 ignores after the root element: bytes after a NUL, and input that its
  /// decoder has given up on.
  private mutating func checkEnd() {
    if decoderFailed || !undecoded.allSatisfy(\.isAllowedAfterXMLEnd) {
      fail(.notWellFormed(.malformedEncoding), at: position)
    }
    if !decoded.allSatisfy(\.isAllowedAfterXMLEnd)
      || !input.unread.allSatisfy(\.isAllowedAfterXMLEnd)
    {
      fail(.notWellFormed(.contentAfterEnd), at: position)
    }
  }

  /// The bytes that libxml2 has decoded but not parsed.
  private var decoded: UnsafeRawBufferPointer {
    let input = context.pointee.input.pointee
    return UnsafeRawBufferPointer(start: input.cur, count: input.end - input.cur)
  }

  /// The bytes that libxml2 has read but not decoded.
  private var undecoded: UnsafeRawBufferPointer {
    let raw = context.pointee.input.pointee.buf?.pointee.raw
    return UnsafeRawBufferPointer(start: raw.flatMap(xmlBufContent), count: raw.map(xmlBufUse) ?? 0)
  }

  // MARK: Positions

  /// The current position of libxml2.
  @inline(__always)
  private var position: XMLPosition {
    let input = context.pointee.input!
    return XMLPosition(line: Int(input.pointee.line), column: Int(input.pointee.col))
  }

  /// The position of the `<` of the start tag at whose end libxml2 is. It is searched backwards:
  /// before the root element not everything is an event, and control characters in attributes are
  /// reported as text.
  private var tagStart: XMLPosition {
    let input = context.pointee.input.pointee
    var position = self.position
    var byte = input.cur!
    var columns = 0
    while byte > input.base, byte.pointee != UInt8(ascii: "<") {
      byte -= 1
      if byte.pointee == 0x0A { position.line -= 1 }
      if byte.pointee & 0xC0 != 0x80 { columns += 1 }
    }
    if position.line == self.position.line {
      position.column -= columns
      return position
    }
    // The tag has several lines. Between the last event and the tag there is only white space.
    var spaces = 0
    while byte > input.base, (byte - 1).pointee.isXMLSpace, (byte - 1).pointee != 0x0A {
      byte -= 1
      spaces += 1
    }
    position.column = spaces + (position.line == lastEventEnd.line ? lastEventEnd.column : 1)
    return position
  }

  private func location(of position: XMLPosition) -> PlistError.Location {
    .line(
      position.line + input.origin.line - 1,
      column: position.column + (position.line == 1 ? input.origin.column - 1 : 0))
  }

  // MARK: Events

  /// Records the first error and ends the parse.
  private mutating func fail(_ kind: PlistError.Kind, at position: XMLPosition) {
    record(kind, at: position)
    xmlStopParser(context)
  }

  private mutating func record(_ kind: PlistError.Kind, at position: XMLPosition) {
    guard !hasFailed else { return }
    hasFailed = true
    failure = PlistError(kind, at: location(of: position), keyPath: reader.pointee.keyPath)
  }

  private mutating func read(
    into buffer: UnsafeMutablePointer<CChar>, capacity: Int
  ) -> Int32 {
    if let count = input.read(into: buffer, capacity: capacity) { return Int32(count) }
    // The parse cannot be stopped within this callback. For libxml2 the document ends here, and the
    // resulting error stops it.
    record(.markupTooLong(limit: limits.maximumMarkupLength), at: lastEventEnd)
    return 0
  }

  private mutating func startDocument() {
    guard !hasFailed else { return }
    input.markEvent()
    let declared =
      context.pointee.input.pointee.encoding ?? context.pointee.encoding.map { UnsafePointer($0) }
    if let declared {
      do { try check(encoding: String(cString: declared)) } catch { fail(error, at: XMLPosition()) }
    }
    lastEventEnd = position
  }

  private func check(encoding name: String) throws(PlistError.Kind) {
    if name == "UTF-8" { return }
    guard Self.encodings.contains(name.uppercased()) else { throw .unsupportedEncoding(name) }
    if input.hasUTF8Mark && !name.uppercased().hasPrefix("UTF") {
      throw .encodingContradictsByteOrderMark(name)
    }
  }

  /// The encodings that are read, in upper case.
  private static let encodings: Set<String> = [
    "UTF-8", "UTF8", "UTF-16", "UTF-16LE", "UTF-16BE", "US-ASCII", "ASCII", "ISO-8859-1",
    "WINDOWS-1252",
  ]

  private mutating func doctype() {
    // The cursor is at `>`, or at the `[` of an internal subset.
    let hasSubset = context.pointee.input.pointee.cur.pointee == UInt8(ascii: "[")
    markup { (_) throws(PlistError.Kind) in if hasSubset { throw .internalSubset } }
  }

  /// Looks up one of the five entities that XML predefines, and marks the document as well-formed.
  ///
  /// libxml2 would look them up itself. But once it has met an invalid character, including those
  /// that are passed on as text, it skips all further references, unless the document counts as
  /// well-formed again when it looks up the entity.
  private func lookUpPredefinedEntity(_ name: UnsafePointer<xmlChar>) -> xmlEntityPtr? {
    if !hasFailed { context.pointee.wellFormed = 1 }
    return xmlGetPredefinedEntity(name)
  }

  @inline(__always)
  private mutating func startElement(
    _ name: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, hasNamespace: Bool,
    attributes: UnsafeBufferPointer<UnsafePointer<xmlChar>?>
  ) {
    // libxml2 reports an incomplete tag next.
    let cursor = context.pointee.input.pointee.cur.pointee
    guard cursor == UInt8(ascii: ">") || cursor == UInt8(ascii: "/") else { return }
    guard !hasFailed else { return }
    input.markEvent()
    do throws(PlistError.Kind) {
      if hasNamespace || prefix != nil || !attributes.isEmpty {
        try check(attributes, prefix: prefix, hasNamespace: hasNamespace, of: name)
      }
      guard let element = element(named: name) else { throw .unknownElement(String(cString: name)) }
      try reader.pointee.startElement(
        element, at: location(of: depth == 0 ? tagStart : lastEventEnd))
    } catch {
      fail(error, at: tagStart)
    }
    depth += 1
    lastEventEnd = position
    // The end of an empty element, `/>`, is an event of its own.
    if cursor == UInt8(ascii: ">") { lastEventEnd.column += 1 }
    contentStart = lastEventEnd
  }

  private func check(
    _ attributes: UnsafeBufferPointer<UnsafePointer<xmlChar>?>, prefix: UnsafePointer<xmlChar>?,
    hasNamespace: Bool, of name: UnsafePointer<xmlChar>
  ) throws(PlistError.Kind) {
    guard attributes.count / 5 <= limits.maximumAttributeCount else {
      throw .tooManyAttributes(limit: limits.maximumAttributeCount)
    }
    if hasNamespace || prefix != nil || Self.hasForeignPrefix(attributes) {
      let qualified = (prefix.map { String(cString: $0) + ":" } ?? "") + String(cString: name)
      throw .foreignNamespace(qualified)
    }
  }

  /// Whether an attribute has a namespace other than XML's own. The second of the five pointers of
  /// an attribute is its prefix.
  private static func hasForeignPrefix(
    _ attributes: UnsafeBufferPointer<UnsafePointer<xmlChar>?>
  ) -> Bool {
    stride(from: 1, to: attributes.count, by: 5).contains { index in
      attributes[index].map { String(cString: $0) != "xml" } ?? false
    }
  }

  @inline(__always)
  private func element(named name: UnsafePointer<xmlChar>) -> PlistElement? {
    for known in names where known.address == name { return known.element }
    return nil
  }

  /// Handles the end of the innermost element, whose name libxml2 has checked.
  @inline(__always)
  private mutating func endElement() {
    guard !hasFailed else { return }
    input.markEvent()
    depth -= 1
    let hasText = reader.pointee.isInText
    do { try reader.pointee.endElement() } catch {
      fail(error, at: hasText ? contentStart : lastEventEnd)
    }
    lastEventEnd = position
  }

  @inline(__always)
  private mutating func text(_ bytes: UnsafeRawBufferPointer) {
    guard !hasFailed else { return }
    input.markEvent()
    do { try reader.pointee.text(bytes) } catch {
      for byte in bytes.prefix(while: \.isXMLSpace) { lastEventEnd.advance(over: byte) }
      fail(error, at: lastEventEnd)
    }
    lastEventEnd = position
  }

  private mutating func markup(
    _ body: (inout XMLPlistReader) throws(PlistError.Kind) -> Void
  ) {
    guard !hasFailed else { return }
    input.markEvent()
    do { try body(&reader.pointee) } catch { fail(error, at: lastEventEnd) }
    lastEventEnd = position
  }

  // MARK: Errors

  private mutating func error(_ error: xmlError) {
    guard !hasFailed else {
      xmlStopParser(context)
      return
    }
    guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    // Elements and attributes with prefixes are refused in ``startElement``.
    if error.domain == XML_FROM_NAMESPACE.rawValue { return }
    let message = error.message.map { String(cString: $0) } ?? ""
    let code = xmlParserErrors(UInt32(error.code))

    if let character = acceptedControlCharacter(error, code, message: message) {
      withUnsafeBytes(of: character) { text($0) }
    } else if let encoding = unsupportedEncoding(error, code) {
      fail(.unsupportedEncoding(encoding), at: XMLPosition())
    } else {
      let defect = decoderHasGivenUp ? .malformedEncoding : Self.defect(code, message: message)
      // These are reported after the tag or reference, which begins where the last event ended.
      let isReportedLate =
        code == XML_ERR_TAG_NAME_MISMATCH || defect == .undefinedEntity
        || message.hasPrefix("xmlParseCharRef")
      let position = XMLPosition(line: Int(error.line), column: Int(error.int2))
      fail(.notWellFormed(defect), at: isReportedLate ? lastEventEnd : position)
    }
  }

  /// The control character of an error that is passed on as text; nil for any other error.
  ///
  /// The message gives the context: in a comment, for example, the error would make the text of the
  /// comment content. Elements that follow in a string are refused in any case.
  private func acceptedControlCharacter(
    _ error: xmlError, _ code: xmlParserErrors, message: String
  ) -> UInt8? {
    guard code == XML_ERR_INVALID_CHAR, reader.pointee.acceptsControlCharacters,
      1..<0x20 ~= error.int1,
      message.hasPrefix("PCDATA invalid Char value")
        || message.hasPrefix("xmlParseCharRef: invalid xmlChar value")
    else { return nil }
    return UInt8(error.int1)
  }

  /// The name of the encoding of an error about that; nil for any other error.
  private func unsupportedEncoding(_ error: xmlError, _ code: xmlParserErrors) -> String? {
    switch code {
    case XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING:
      error.str1.map { String(cString: $0) } ?? "?"
    case XML_ERR_INTERNAL_ERROR:
      context.pointee.input.pointee.encoding.map { String(cString: $0) }
    default:
      nil
    }
  }

  /// Whether libxml2's decoder has stopped at invalid bytes, where the document seems to end.
  private var decoderHasGivenUp: Bool {
    decoderFailed || input.isAtEnd && decoded.isEmpty && !undecoded.isEmpty
  }

  private static func defect(_ code: xmlParserErrors, message: String) -> PlistError.XMLDefect {
    switch code {
    case XML_ERR_DOCUMENT_EMPTY: .elementExpected
    case XML_ERR_DOCUMENT_END, XML_ERR_EXTRA_CONTENT: .contentAfterEnd
    case XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_DEC_CHARREF, XML_ERR_INVALID_CHARREF:
      .malformedReference
    case XML_ERR_INVALID_CHAR:
      message.hasPrefix("Input is not proper UTF-8") ? .malformedEncoding : .invalidCharacter
    case XML_ERR_NAME_REQUIRED:
      message.hasPrefix("xmlParseEntityRef") ? .undefinedEntity : .malformedTag
    case XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY:
      .undefinedEntity
    case XML_ERR_LT_IN_ATTRIBUTE, XML_ERR_ATTRIBUTE_NOT_STARTED, XML_ERR_ATTRIBUTE_NOT_FINISHED,
      XML_ERR_ATTRIBUTE_WITHOUT_VALUE, XML_ERR_ATTRIBUTE_REDEFINED:
      .malformedAttribute
    case XML_ERR_SPACE_REQUIRED:
      message.hasPrefix("attributes")
        ? .malformedAttribute
        : message.hasPrefix("Blank") ? .malformedInstruction : .malformedDoctype
    case XML_ERR_COMMENT_NOT_FINISHED, XML_ERR_HYPHEN_IN_COMMENT: .malformedComment
    case XML_ERR_PI_NOT_STARTED, XML_ERR_PI_NOT_FINISHED, XML_ERR_RESERVED_XML_NAME,
      XML_ERR_XMLDECL_NOT_STARTED, XML_ERR_XMLDECL_NOT_FINISHED, XML_ERR_STANDALONE_VALUE,
      XML_ERR_ENCODING_NAME, XML_ERR_VERSION_MISSING:
      .malformedInstruction
    case XML_ERR_DOCTYPE_NOT_FINISHED, XML_ERR_LITERAL_NOT_STARTED, XML_ERR_LITERAL_NOT_FINISHED,
      XML_ERR_URI_REQUIRED, XML_ERR_PUBID_REQUIRED:
      .malformedDoctype
    case XML_ERR_CDATA_NOT_FINISHED: .malformedCDATA
    case XML_ERR_MISPLACED_CDATA_END: .misplacedCDATAEnd
    case XML_ERR_LT_REQUIRED, XML_ERR_GT_REQUIRED, XML_ERR_LTSLASH_REQUIRED: .malformedTag
    case XML_ERR_TAG_NAME_MISMATCH, XML_ERR_TAG_NOT_FINISHED: .unclosedElement
    case XML_ERR_INVALID_ENCODING: .malformedEncoding
    default: .other(code: Int(code.rawValue))
    }
  }

  // MARK: The C side

  @inline(__always)
  private static func at(
    _ reference: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<XMLParser> {
    reference!.assumingMemoryBound(to: XMLParser.self)
  }

  private static let read: xmlInputReadCallback = { reference, buffer, capacity in
    XMLParser.at(reference).pointee.read(into: buffer!, capacity: Int(capacity))
  }

  /// The callbacks. Computed, since a static `xmlSAXHandler` would not be Sendable.
  private static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    sax.startDocument = { XMLParser.at($0).pointee.startDocument() }
    sax.getEntity = { XMLParser.at($0).pointee.lookUpPredefinedEntity($1!) }
    sax.internalSubset = { reference, _, _, _ in XMLParser.at(reference).pointee.doctype() }
    sax.startElementNs = {
      reference, name, prefix, uri, namespaceCount, _, attributeCount, _, attributes in
      let pointers = UnsafeMutableRawPointer(attributes)?.assumingMemoryBound(
        to: UnsafePointer<xmlChar>?.self)
      XMLParser.at(reference).pointee.startElement(
        name!, prefix: prefix, hasNamespace: uri != nil || namespaceCount > 0,
        attributes: UnsafeBufferPointer(start: pointers, count: Int(attributeCount) * 5))
    }
    sax.endElementNs = { reference, _, _, _ in XMLParser.at(reference).pointee.endElement() }
    sax.characters = { reference, bytes, count in
      XMLParser.at(reference).pointee.text(
        UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
    // If both callbacks are the same, libxml2 does not examine whether white space is ignorable.
    sax.ignorableWhitespace = sax.characters
    sax.cdataBlock = { reference, bytes, count in
      let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      XMLParser.at(reference).pointee.markup { (reader) throws(PlistError.Kind) in
        try reader.cdata(bytes)
      }
    }
    sax.comment = { reference, _ in
      XMLParser.at(reference).pointee.markup { (reader) throws(PlistError.Kind) in
        try reader.comment()
      }
    }
    sax.processingInstruction = { reference, _, _ in
      XMLParser.at(reference).pointee.markup { (reader) throws(PlistError.Kind) in
        try reader.processingInstruction()
      }
    }
    sax.serror = { reference, error in XMLParser.at(reference).pointee.error(error!.pointee) }
    return sax
  }
}
