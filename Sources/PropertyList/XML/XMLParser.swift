internal import CLibXML2
internal import FoundationEssentials

/// The SAX2 interface of libxml2, for property lists.
///
/// This is the one file that knows libxml2. The document is fed in pieces from memory, entities are
/// never defined and nothing is ever loaded; libxml2's own limits on size and depth are off because
/// ``PlistLimits`` replaces them. An error of libxml2 ends the parse, with one exception: control
/// characters in strings and keys, which XML excludes and Foundation nevertheless writes, are passed
/// on as text.
///
/// libxml2 gets the address of the parser and calls it back millions of times in a large document,
/// so this is a structure with one concrete reader: nothing is retained, released or checked for
/// exclusive access on the way.
struct XMLParser: ~Copyable {
  private let reader: UnsafeMutablePointer<XMLPlistReader>
  private let limits: PlistLimits
  private let context: xmlParserCtxtPtr

  /// The document without the white space before its first character, and whether a UTF-8
  /// byte-order mark stood there.
  private let input: UnsafeRawBufferPointer
  private let hasUTF8Mark: Bool
  /// Where the first character of `input` stands in the document.
  private let origin: XMLPlace
  /// How many bytes of `input` libxml2 has taken, now and at the last event.
  private var fed = 0
  private var fedAtEvent = 0
  /// Up to where the bytes since the last event have been counted that are not white space, and how
  /// many there were.
  private var counted = 0
  private var markupCount = 0

  /// The names of ``PlistElement``, interned: names of a document compare with them by address.
  private let names: UnsafeMutableBufferPointer<ElementName>
  private typealias ElementName = (address: UnsafePointer<xmlChar>?, element: PlistElement)
  /// The elements that are open.
  private var depth = 0
  /// Where the last event ended, which is where the next begins, and where the content of the
  /// innermost element begins.
  private var lastEventEnd = XMLPlace()
  private var contentStart = XMLPlace()
  /// The first failure, which ends the parse, and whether there is one.
  private var failure: PlistError?
  private var hasFailed = false
  /// Whether bytes were met that are not of the document's encoding.
  private var decoderFailed = false

  /// Parses a whole document.
  static func parse(
    _ data: Data, limits: PlistLimits, reader: inout XMLPlistReader
  ) throws(PlistError) {
    let (data, origin) = data.withoutSpaceBehindUTF16Mark
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
    _ bytes: UnsafeRawBufferPointer, from origin: XMLPlace, limits: PlistLimits,
    reader: UnsafeMutablePointer<XMLPlistReader>
  ) {
    Self.initializeLibrary
    self.reader = reader
    self.limits = limits

    hasUTF8Mark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    var rest = hasUTF8Mark ? bytes[3...] : bytes[...]
    var origin = origin
    while let byte = rest.first, byte.isXMLSpace {
      origin.advance(over: byte)
      rest.removeFirst()
    }
    self.origin = origin
    input = UnsafeRawBufferPointer(rebasing: rest)

    let noUserData: UnsafeMutableRawPointer? = nil
    guard
      let context = xmlCreateIOParserCtxt(
        nil, noUserData, Self.read, nil, nil, XML_CHAR_ENCODING_NONE)
    else { fatalError("out of memory") }  // The only reason that libxml2 has.
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

  /// Works on the address alone, because libxml2 changes the parser by the same address meanwhile.
  private static func run(_ parser: UnsafeMutablePointer<XMLParser>) -> PlistError? {
    let context = parser.pointee.context
    // OLDSAX has libxml2 ask ``predefinedEntity(_:)`` for every entity.
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_RECOVER.rawValue
      | XML_PARSE_OLDSAX.rawValue
    xmlCtxtUseOptions(context, Int32(options))
    // No entity is ever declared in this block, and with user data other than the context libxml2
    // does not look for one elsewhere.
    context.pointee.sax.pointee = callbacks
    context.pointee.userData = UnsafeMutableRawPointer(parser)
    context.pointee.input.pointee.buf.pointee.context = UnsafeMutableRawPointer(parser)

    // A failing decoder does not know the context; its errors would be printed. This handler is the
    // thread's own, and whoever had set one gets it back.
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

  /// Refuses what libxml2 passes over after the root element: bytes behind a NUL, and input that
  /// its decoder gave up on.
  private mutating func checkEnd() {
    if decoderFailed || !undecoded.allSatisfy(Self.mayFollowTheEnd) {
      fail(.notWellFormed(.malformedEncoding), at: place)
    }
    let unread = input[fed...]
    if !(decoded.allSatisfy(Self.mayFollowTheEnd) && unread.allSatisfy(Self.mayFollowTheEnd)) {
      fail(.notWellFormed(.contentAfterEnd), at: place)
    }
  }

  /// What libxml2 has decoded and not parsed.
  private var decoded: UnsafeRawBufferPointer {
    let input = context.pointee.input.pointee
    return UnsafeRawBufferPointer(start: input.cur, count: input.end - input.cur)
  }

  /// What libxml2 has taken and not decoded.
  private var undecoded: UnsafeRawBufferPointer {
    let raw = context.pointee.input.pointee.buf?.pointee.raw
    return UnsafeRawBufferPointer(start: raw.flatMap(xmlBufContent), count: raw.map(xmlBufUse) ?? 0)
  }

  private static func mayFollowTheEnd(_ byte: UInt8) -> Bool {
    byte == 0 || byte.isXMLSpace
  }

  // MARK: Places

  /// Where libxml2 stands.
  @inline(__always)
  private var place: XMLPlace {
    let input = context.pointee.input!
    return XMLPlace(line: Int(input.pointee.line), column: Int(input.pointee.col))
  }

  /// The `<` of the start tag at whose end libxml2 stands, found backwards: before the root element
  /// not everything is an event, and control characters in attributes pass for text.
  private var tagStart: XMLPlace {
    let input = context.pointee.input.pointee
    var place = self.place
    var byte = input.cur!
    var columns = 0
    while byte > input.base, byte.pointee != UInt8(ascii: "<") {
      byte -= 1
      if byte.pointee == 0x0A { place.line -= 1 }
      if byte.pointee & 0xC0 != 0x80 { columns += 1 }
    }
    if place.line == self.place.line {
      place.column -= columns
      return place
    }
    // The tag has several lines; before it there is white space, then the last event.
    var spaces = 0
    while byte > input.base, (byte - 1).pointee.isXMLSpace, (byte - 1).pointee != 0x0A {
      byte -= 1
      spaces += 1
    }
    place.column = spaces + (place.line == lastEventEnd.line ? lastEventEnd.column : 1)
    return place
  }

  private func location(of place: XMLPlace) -> PlistError.Location {
    .line(
      place.line + origin.line - 1,
      column: place.column + (place.line == 1 ? origin.column - 1 : 0))
  }

  // MARK: Events

  /// Records the first failure and ends the parse.
  private mutating func fail(_ kind: PlistError.Kind, at place: XMLPlace) {
    record(kind, at: place)
    xmlStopParser(context)
  }

  private mutating func record(_ kind: PlistError.Kind, at place: XMLPlace) {
    guard !hasFailed else { return }
    hasFailed = true
    failure = PlistError(kind, at: location(of: place), keyPath: reader.pointee.keyPath)
  }

  private mutating func read(into buffer: UnsafeMutablePointer<CChar>, capacity: Int) -> Int32 {
    var allowance = limits.maximumMarkupLength - (fed - fedAtEvent)
    if allowance <= 0 { allowance = limits.maximumMarkupLength - countMarkup() }
    let count = min(capacity, input.count - fed, max(allowance, 0))
    if count == 0 && fed < input.count {
      // Nothing may be stopped from in here; for libxml2 the document ends, and the error that this
      // makes stops it.
      record(.markupTooLong(limit: limits.maximumMarkupLength), at: lastEventEnd)
    }
    UnsafeMutableRawPointer(buffer).copyMemory(
      from: input.baseAddress! + fed, byteCount: count)
    fed += count
    return Int32(count)
  }

  /// The bytes since the last event that are not white space, of which any amount may stand around
  /// the root element.
  private mutating func countMarkup() -> Int {
    if counted < fedAtEvent {
      counted = fedAtEvent
      markupCount = 0
    }
    for byte in input[counted..<fed] where !Self.mayFollowTheEnd(byte) { markupCount += 1 }
    counted = fed
    return markupCount
  }

  private mutating func startDocument() {
    guard !hasFailed else { return }
    fedAtEvent = fed
    let declared =
      context.pointee.input.pointee.encoding ?? context.pointee.encoding.map { UnsafePointer($0) }
    if let declared {
      do { try check(encoding: String(cString: declared)) } catch { fail(error, at: XMLPlace()) }
    }
    lastEventEnd = place
  }

  private func check(encoding name: String) throws(PlistError.Kind) {
    if name == "UTF-8" { return }
    guard Self.encodings.contains(name.uppercased()) else { throw .unsupportedEncoding(name) }
    if hasUTF8Mark && !name.uppercased().hasPrefix("UTF") {
      throw .encodingContradictsMark(name)
    }
  }

  /// The encodings that are read, in upper case.
  private static let encodings: Set<String> = [
    "UTF-8", "UTF8", "UTF-16", "UTF-16LE", "UTF-16BE", "US-ASCII", "ASCII", "ISO-8859-1",
    "WINDOWS-1252",
  ]

  private mutating func doctype() {
    // Called with the cursor at `>`, or at `[` where a subset follows.
    let hasSubset = context.pointee.input.pointee.cur.pointee == UInt8(ascii: "[")
    markup { (_) throws(PlistError.Kind) in if hasSubset { throw .internalSubset } }
  }

  /// One of the five entities that XML defines.
  ///
  /// libxml2 would look there itself, but once a character is invalid, and be it one that was put
  /// back, it passes over every reference that follows, unless the document counts as well-formed
  /// again by the time that it has the entity.
  private func predefinedEntity(_ name: UnsafePointer<xmlChar>) -> xmlEntityPtr? {
    if !hasFailed { context.pointee.wellFormed = 1 }
    return xmlGetPredefinedEntity(name)
  }

  @inline(__always)
  private mutating func startElement(
    _ name: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, hasNamespace: Bool,
    attributes: UnsafeBufferPointer<UnsafePointer<xmlChar>?>
  ) {
    // Where the tag is broken off, libxml2 says so next.
    let cursor = context.pointee.input.pointee.cur.pointee
    guard cursor == UInt8(ascii: ">") || cursor == UInt8(ascii: "/") else { return }
    guard !hasFailed else { return }
    fedAtEvent = fed
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
    lastEventEnd = place
    // A `/>` is the empty element's end and another event.
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

  /// Whether an attribute, given by five pointers of which the second is its prefix, belongs to a
  /// namespace other than XML's own.
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

  /// The end of the innermost element, whose name libxml2 has compared with that of its start.
  @inline(__always)
  private mutating func endElement() {
    guard !hasFailed else { return }
    fedAtEvent = fed
    depth -= 1
    let hasText = reader.pointee.isInText
    do { try reader.pointee.endElement() } catch {
      fail(error, at: hasText ? contentStart : lastEventEnd)
    }
    lastEventEnd = place
  }

  @inline(__always)
  private mutating func text(_ bytes: UnsafeRawBufferPointer) {
    guard !hasFailed else { return }
    fedAtEvent = fed
    do { try reader.pointee.text(bytes) } catch {
      for byte in bytes.prefix(while: \.isXMLSpace) { lastEventEnd.advance(over: byte) }
      fail(error, at: lastEventEnd)
    }
    lastEventEnd = place
  }

  private mutating func markup(
    _ body: (inout XMLPlistReader) throws(PlistError.Kind) -> Void
  ) {
    guard !hasFailed else { return }
    fedAtEvent = fed
    do { try body(&reader.pointee) } catch { fail(error, at: lastEventEnd) }
    lastEventEnd = place
  }

  // MARK: Errors

  private mutating func error(_ error: xmlError) {
    guard !hasFailed else {
      xmlStopParser(context)
      return
    }
    guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    // Elements and attributes with prefixes are refused where they are reported.
    if error.domain == XML_FROM_NAMESPACE.rawValue { return }
    let message = error.message.map { String(cString: $0) } ?? ""
    let code = xmlParserErrors(UInt32(error.code))

    // The message tells the context: in a comment, say, this character's error makes the comment's
    // text come out as content. Elements that follow in a string are refused in any case.
    if code == XML_ERR_INVALID_CHAR, reader.pointee.acceptsControlCharacters,
      1..<0x20 ~= error.int1,
      message.hasPrefix("PCDATA invalid Char value")
        || message.hasPrefix("xmlParseCharRef: invalid xmlChar value")
    {
      withUnsafeBytes(of: UInt8(error.int1)) { text($0) }
      return
    }

    if code == XML_ERR_UNKNOWN_ENCODING || code == XML_ERR_UNSUPPORTED_ENCODING {
      return fail(
        .unsupportedEncoding(error.str1.map { String(cString: $0) } ?? "?"), at: XMLPlace())
    }
    if code == XML_ERR_INTERNAL_ERROR, let declared = context.pointee.input.pointee.encoding {
      return fail(.unsupportedEncoding(String(cString: declared)), at: XMLPlace())
    }
    // Where the decoder gave up, the document seems to end.
    let gaveUp = fed == input.count && decoded.isEmpty && !undecoded.isEmpty
    let defect =
      decoderFailed || gaveUp ? .malformedEncoding : Self.defect(code, message: message)
    // These are reported behind the tag or reference, which begins where the last event ended.
    let behind =
      code == XML_ERR_TAG_NAME_MISMATCH || defect == .undefinedEntity
      || message.hasPrefix("xmlParseCharRef")
    let place = XMLPlace(line: Int(error.line), column: Int(error.int2))
    fail(.notWellFormed(defect), at: behind ? lastEventEnd : place)
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

  /// Computed, not stored: a static `xmlSAXHandler` is not Sendable.
  private static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    sax.startDocument = { XMLParser.at($0).pointee.startDocument() }
    sax.getEntity = { XMLParser.at($0).pointee.predefinedEntity($1!) }
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
    // The same function for both tells libxml2 not to examine which white space matters.
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
