internal import CLibXML2

/// A parser of XML property lists on libxml2's SAX2 interface.
///
/// Only this file calls libxml2. libxml2 finds the markup in an ``XMLStandIn`` of the document;
/// text and names are taken from the document itself, by the offsets of the tags. Any error that
/// libxml2 reports ends the parse. The parser uses only libxml2's functions, its callbacks, the
/// public fields of its errors and the position of its cursor, but not its wording, so that all of
/// its versions behave the same.
///
/// In a large document, libxml2 makes millions of callbacks with the address of the parser. The
/// parser is a structure with a concrete reader, so that a callback neither retains and releases
/// objects nor checks exclusive access.
struct XMLParser: ~Copyable {
  private let reader: UnsafeMutablePointer<XMLPlistReader>
  private let limits: PlistLimits
  private let text: UnsafeRawBufferPointer
  /// The range of the text that libxml2 reads.
  private let range: Range<Int>
  private var input: XMLInput
  private var context: xmlParserCtxtPtr?

  private var depth = 0
  /// Whether the last event was the start of an empty-element tag.
  private var isEmptyElement = false
  /// The start of the content of the innermost element, and the length of the last start tag
  /// without its `>`.
  private var contentStart = 0
  private var tagLength = 0
  /// The first error, which ends the parse, and whether there is one.
  private var failure: XMLFailure?
  private var hasFailed = false

  /// Parses a whole document and returns the first error.
  static func parse(
    _ text: borrowing XMLText, limits: PlistLimits, reader: inout XMLPlistReader
  ) -> XMLFailure? {
    withUnsafeMutablePointer(to: &reader) { reader in
      var parser = XMLParser(text, limits: limits, reader: reader)
      return withUnsafeMutablePointer(to: &parser) { run($0) }
    }
  }

  private init(
    _ text: borrowing XMLText, limits: PlistLimits, reader: UnsafeMutablePointer<XMLPlistReader>
  ) {
    Self.initializeLibrary
    (self.reader, self.limits) = (reader, limits)
    self.text = text.bytes
    range = text.start..<text.end
    input = XMLInput(text, markupLimit: limits.maximumMarkupLength)
  }

  private static let initializeLibrary: Void = xmlInitParser()

  /// Runs the parser. It is accessed only by its address, because libxml2's callbacks change it by
  /// that address.
  private static func run(_ parser: UnsafeMutablePointer<XMLParser>) -> XMLFailure? {
    var callbacks = callbacks
    guard
      let context = xmlCreateIOParserCtxt(
        &callbacks, parser, read, nil, parser, XML_CHAR_ENCODING_NONE)
    else { return parser.pointee.otherFailure(code: XML_ERR_NO_MEMORY) }
    defer { xmlFreeParserCtxt(context) }
    parser.pointee.context = context
    // HUGE disables libxml2's limits in favor of ``PlistLimits``. IGNORE_ENC: the stand-in does not
    // have the encoding that the document declares.
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    xmlCtxtUseOptions(context, Int32(options))
    let result = xmlParseDocument(context)
    return parser.pointee.failure ?? parser.pointee.failureAtEnd(hasSucceeded: result == 0)
  }

  /// The error of a document when libxml2 has reported none.
  private func failureAtEnd(hasSucceeded: Bool) -> XMLFailure? {
    if let defect = input.defect { return defect }
    guard hasSucceeded, depth == 0 else { return otherFailure(code: XML_ERR_INTERNAL_ERROR) }
    let rest = input.eventEnd..<range.upperBound
    return rest.first { !text[$0].isXMLSpace }.map {
      XMLFailure(kind: .notWellFormed(.contentAfterEnd), offset: $0)
    }
  }

  /// An error of libxml2 that no document should cause.
  private func otherFailure(code: xmlParserErrors) -> XMLFailure {
    XMLFailure(kind: .notWellFormed(.other(code: Int(code.rawValue))), offset: input.eventEnd)
  }

  /// The position of libxml2's cursor in the text.
  @inline(__always)
  private var cursor: Int { range.lowerBound &+ larder_xml_offset(context) }

  /// Returns the cursor at a tag, which must be after the last event and before any defect.
  @inline(__always)
  private mutating func tagCursor() throws(XMLFailure) -> Int {
    let cursor = self.cursor
    guard input.eventEnd <= cursor, cursor <= input.validEnd else { throw cursorFailure(cursor) }
    return cursor
  }

  /// The error if the cursor is after a defect, or at an impossible position. This is rare.
  @inline(never)
  private mutating func cursorFailure(_ cursor: Int) -> XMLFailure {
    if input.validEnd < cursor, let defect = input.defect { return defect }
    return otherFailure(code: XML_ERR_INTERNAL_ERROR)
  }

  /// Returns the position of the markup that follows the last event. If text is not allowed, only
  /// white space may precede it.
  @inline(never)
  private func markupStart() throws(XMLFailure) -> Int {
    let start = text.firstPosition(of: UInt8(ascii: "<"), in: input.eventEnd..<range.upperBound)
    try checkSpace(upTo: start)
    return start
  }

  /// Returns the position of the tag that follows the last event and ends at a position, if it has
  /// at most eight bytes; nil for any other. With the words of ``PlistElement`` this saves 33 % of the
  /// instructions of reading the XML of `make counts`.
  @inline(__always)
  private func shortTagStart(before end: Int) -> Int? {
    guard end >= 8, end <= range.upperBound else { return nil }
    let marks = text.word(at: end &- 8).exactMarks(of: UInt8(ascii: "<"))
    let start = end &- 1 &- marks.leadingZeroBitCount / 8
    return marks != 0 && start >= input.eventEnd ? start : nil
  }

  /// Throws an error if there is anything but white space between the last event and a position
  /// where text is not allowed.
  @inline(__always)
  private func checkSpace(upTo end: Int) throws(XMLFailure) {
    let isSpace = text[input.eventEnd..<end].allSatisfy { $0 <= 0x20 }
    if isSpace, !input.hasControlCharacters { return }
    if !reader.pointee.isInText { try reader.pointee.checkSpace(input.eventEnd..<end) }
  }

  @inline(__always)
  private func checkLength(_ markup: Range<Int>) throws(XMLFailure) {
    if markup.upperBound &- markup.lowerBound > limits.maximumMarkupLength {
      throw XMLFailure(
        kind: .markupTooLong(limit: limits.maximumMarkupLength), offset: markup.lowerBound)
    }
  }

  /// Records the first error and ends the parse.
  private mutating func fail(_ failure: XMLFailure) {
    record(failure)
    xmlStopParser(context)
  }

  private mutating func record(_ failure: XMLFailure) {
    guard !hasFailed else { return }
    hasFailed = true
    self.failure = failure
  }

  private mutating func read(into buffer: UnsafeMutablePointer<CChar>, capacity: Int) -> Int32 {
    guard !hasFailed else { return 0 }
    if let count = input.read(into: buffer, capacity: capacity) {
      if input.hasControlCharacters { reader.pointee.hasControlCharacters = true }
      return Int32(count)
    }
    // The parse cannot be stopped within this callback. For libxml2 the document ends here, and the
    // resulting error stops the parse.
    record(
      XMLFailure(
        kind: .markupTooLong(limit: limits.maximumMarkupLength),
        offset: input.firstMarkup ?? input.eventEnd))
    return 0
  }

  /// Handles the beginning of the document, after its XML declaration.
  private mutating func startDocument() {
    guard let end = input.declarationEnd, !hasFailed else { return }
    do { try handleMarkup(range.lowerBound..<end) } catch { fail(error) }
  }

  /// Handles a start tag. The cursor is at its end, `>` or `/>`.
  @inline(__always)
  private mutating func startElement(_ details: TagDetails) {
    guard !hasFailed else { return }
    do throws(XMLFailure) {
      let cursor = try tagCursor()
      // libxml2 reports an incomplete tag next.
      guard cursor < range.upperBound else { return }
      isEmptyElement = text[cursor] == UInt8(ascii: "/")
      guard isEmptyElement || text[cursor] == UInt8(ascii: ">") else { return }

      let contents = isEmptyElement ? cursor : cursor &+ 1
      let start: Int
      if let tagStart = shortTagStart(before: cursor),
        let element = PlistElement(text, tagStart &+ 1..<cursor)
      {
        start = tagStart
        try checkSpace(upTo: start)
        do { try reader.pointee.startElement(element, at: start, contents: contents) } catch {
          throw XMLFailure(kind: error, offset: start)
        }
      } else {
        start = try markupStart()
        guard start < cursor else { throw cursorFailure(cursor) }
        try startLongTag(start..<cursor, contents: contents, details)
      }

      depth &+= 1
      tagLength = cursor &- start
      input.eventEnd = contents
      contentStart = contents
    } catch {
      fail(error)
    }
  }

  /// Handles a start tag that has more than the name of an element.
  @inline(never)
  private mutating func startLongTag(
    _ tag: Range<Int>, contents: Int, _ details: TagDetails
  ) throws(XMLFailure) {
    try checkLength(tag)
    let name = name(ofTagAt: tag.lowerBound, upTo: tag.upperBound)
    do throws(PlistError.Kind) {
      if details.attributeCount > PlistLimits.maximumAttributeCount {
        throw .tooManyAttributes(limit: PlistLimits.maximumAttributeCount)
      }
      if details.hasNamespace { throw .foreignNamespace(string(name)) }
      guard let element = PlistElement(text, name) else { throw .unknownElement(string(name)) }
      try reader.pointee.startElement(element, at: tag.lowerBound, contents: contents)
    } catch {
      throw XMLFailure(kind: error, offset: tag.lowerBound)
    }
    try checkAttributes(name.upperBound..<tag.upperBound)
  }

  private func name(ofTagAt start: Int, upTo end: Int) -> Range<Int> {
    (start + 1..<max(end, start + 1)).prefix { position in
      let byte = text[position]
      return byte > 0x20 && byte != UInt8(ascii: "/") && byte != UInt8(ascii: ">")
    }
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: text[range], as: UTF8.self)
  }

  private func checkAttributes(_ range: Range<Int>) throws(XMLFailure) {
    let text = UnsafeRawBufferPointer(rebasing: text[..<range.upperBound])
    var position = range.lowerBound
    while position < text.count {
      if text[position] == UInt8(ascii: "&") {
        position = try XMLReference.decode(text, at: position, allowsControlCharacters: false).end
      } else {
        try checkCharacters(position..<position + 1, .invalidCharacter)
        position += 1
      }
    }
  }

  private func checkCharacters(
    _ range: Range<Int>, _ defect: PlistError.XMLDefect
  ) throws(XMLFailure) {
    for position in range where text[position].isControlCharacter {
      throw XMLFailure(kind: .notWellFormed(defect), offset: position)
    }
  }

  /// Handles the end of the innermost element, whose name libxml2 has checked. The cursor is after
  /// its tag.
  @inline(__always)
  private mutating func endElement() {
    guard !hasFailed else { return }
    do throws(XMLFailure) {
      let cursor = try tagCursor()
      var tagStart = input.eventEnd
      if isEmptyElement {
        isEmptyElement = false
      } else if reader.pointee.isInText {
        // Usually, `</name>` is two bytes longer than `<name`.
        tagStart = max(cursor &- tagLength &- 2, tagStart)
        guard tagStart < cursor else { throw cursorFailure(cursor) }
        if text[tagStart] != UInt8(ascii: "<") { tagStart = lastMarkup(before: cursor) }
        try checkLength(tagStart..<cursor)
      } else if let start = shortTagStart(before: cursor) {
        tagStart = start
        try checkSpace(upTo: tagStart)
      } else {
        tagStart = try markupStart()
        guard tagStart < cursor else { throw cursorFailure(cursor) }
        try checkLength(tagStart..<cursor)
      }
      try reader.pointee.endElement(contentStart..<tagStart, end: cursor)
      depth &-= 1
      input.eventEnd = cursor
      contentStart = cursor
    } catch {
      fail(error)
    }
  }

  /// Returns the position of the last `<` between the last event and a position, or the end of the
  /// event if there is none.
  private func lastMarkup(before end: Int) -> Int {
    (input.eventEnd..<end).last { text[$0] == UInt8(ascii: "<") } ?? input.eventEnd
  }

  /// Handles a comment, processing instruction or CDATA section.
  private mutating func markup(
    _ kind: PlistError.Markup, from opening: StaticString, to closing: StaticString
  ) {
    guard !hasFailed else { return }
    do throws(XMLFailure) {
      let start = try markupStart()
      guard text.hasBytes(opening, at: start),
        let end = text.firstPosition(of: closing, from: start + opening.utf8CodeUnitCount)
      else { throw otherFailure(code: XML_ERR_INTERNAL_ERROR) }
      try handleMarkup(start..<end + closing.utf8CodeUnitCount, kind)
    } catch {
      fail(error)
    }
  }

  private mutating func handleMarkup(
    _ range: Range<Int>, _ kind: PlistError.Markup? = nil
  ) throws(XMLFailure) {
    guard range.upperBound <= self.range.upperBound else {
      throw otherFailure(code: XML_ERR_INTERNAL_ERROR)
    }
    if input.validEnd < range.upperBound, let defect = input.defect { throw defect }
    try checkCharacters(range, kind == .cdata ? .malformedCDATA : .invalidCharacter)
    if let kind {
      do { try reader.pointee.markup(kind, at: range) } catch {
        throw XMLFailure(kind: error, offset: range.lowerBound)
      }
    }
    try checkLength(range)
    input.eventEnd = range.upperBound
  }

  /// Handles a document type declaration. The cursor is at its `>`, or at the `[` of an internal
  /// subset.
  private mutating func doctype() {
    guard !hasFailed else { return }
    do throws(XMLFailure) {
      let cursor = try tagCursor()
      let start = try markupStart()
      // libxml2 reports an incomplete declaration next.
      guard start < cursor, cursor < range.upperBound else { return }
      if let failure = doctypeStartFailure(at: start) { throw failure }
      if text[cursor] == UInt8(ascii: "[") {
        throw XMLFailure(kind: .internalSubset, offset: start)
      }
      guard text[cursor] == UInt8(ascii: ">") else { return }
      try handleMarkup(start..<cursor + 1)
      // libxml2 2.9 treats it as the start of an internal subset.
      if input.eventEnd < range.upperBound, text[input.eventEnd] == UInt8(ascii: "[") {
        throw XMLFailure(kind: .notWellFormed(.elementExpected), offset: input.eventEnd)
      }
    } catch {
      fail(error)
    }
  }

  /// The error for `<!DOCTYPE` at a position without white space after it. libxml2 2.9 does not
  /// require any.
  private func doctypeStartFailure(at start: Int) -> XMLFailure? {
    let opening: StaticString = "<!DOCTYPE"
    guard text.hasBytes(opening, at: start) else { return nil }
    let end = start + opening.utf8CodeUnitCount
    if end < range.upperBound, text[end].isXMLSpace { return nil }
    return XMLFailure(kind: .notWellFormed(.malformedDoctype), offset: end)
  }

  private mutating func error(_ error: xmlError) {
    guard !hasFailed else {
      xmlStopParser(context)
      return
    }
    guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
    do throws(XMLFailure) {
      let cursor = min(max(self.cursor, input.eventEnd), range.upperBound)
      let markup = text.firstPosition(of: UInt8(ascii: "<"), in: input.eventEnd..<range.upperBound)
      var defect = PlistError.XMLDefect(
        xmlParserErrors(UInt32(bitPattern: error.code)), in: text, at: markup)
      var offset = cursor
      switch defect {
      case .misplacedCDATAEnd:
        offset = text.firstPosition(of: "]]>", from: input.eventEnd) ?? cursor
      case .endTagExpected:
        offset = min(markup, cursor)
        defect = endTagDefect(at: markup)
      default: break
      }
      try checkText(upTo: min(markup, offset))
      let doctypeFailure = markup < cursor ? doctypeStartFailure(at: markup) : nil
      if let other = input.defect, other.offset <= doctypeFailure?.offset ?? cursor,
        defect != .contentAfterEnd || other.kind == .notWellFormed(.malformedEncoding)
      {
        throw other
      }
      if let doctypeFailure { throw doctypeFailure }
      if error.domain == XML_FROM_NAMESPACE.rawValue, markup < cursor {
        let name = name(ofTagAt: markup, upTo: range.upperBound)
        throw XMLFailure(kind: .foreignNamespace(string(name)), offset: markup)
      }
      throw XMLFailure(kind: .notWellFormed(defect), offset: offset)
    } catch {
      fail(error)
    }
  }

  /// The defect for a missing end tag of the innermost element at a position.
  private func endTagDefect(at position: Int) -> PlistError.XMLDefect {
    let start = reader.pointee.surroundings
    var found: String?
    if position < range.upperBound {
      let isEnd = text.hasBytes("</", at: position)
      let name = name(ofTagAt: isEnd ? position + 1 : position, upTo: range.upperBound)
      found = (isEnd ? "</" : "<") + string(name).excerpt + ">"
    }
    return .endTagExpected("</" + start.dropFirst(), found: found)
  }

  /// Checks the text between the last event and an error of libxml2.
  private func checkText(upTo end: Int) throws(XMLFailure) {
    guard depth > 0, input.eventEnd < end else { return }
    if reader.pointee.isInText {
      try reader.pointee.decode(input.eventEnd..<end)
    } else {
      try reader.pointee.checkSpace(input.eventEnd..<end)
    }
  }

  /// The largest depth of containers. Since version 2.11, libxml2 allows no more than 2048 nested
  /// elements.
  static let maximumDepth = 2046

  @inline(__always)
  private static func at(
    _ reference: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<XMLParser>? {
    reference?.assumingMemoryBound(to: XMLParser.self)
  }

  private static let read: xmlInputReadCallback = { reference, buffer, capacity in
    guard let buffer else { return 0 }
    return XMLParser.at(reference)?.pointee.read(into: buffer, capacity: Int(capacity)) ?? 0
  }

  /// The callbacks. There is none for text. The property is computed, because a static
  /// `xmlSAXHandler` would not be Sendable.
  private static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    sax.startDocument = { XMLParser.at($0)?.pointee.startDocument() }
    sax.internalSubset = { reference, _, _, _ in XMLParser.at(reference)?.pointee.doctype() }
    sax.startElementNs = {
      reference, _, prefix, uri, namespaceCount, _, attributeCount, _, attributes in
      XMLParser.at(reference)?.pointee.startElement(
        TagDetails(
          isInNamespace: prefix != nil || uri != nil || namespaceCount > 0,
          attributeCount: Int(attributeCount), attributes: UnsafeRawPointer(attributes)))
    }
    sax.endElementNs = { reference, _, _, _ in XMLParser.at(reference)?.pointee.endElement() }
    sax.cdataBlock = { reference, _, _ in
      XMLParser.at(reference)?.pointee.markup(.cdata, from: "<![CDATA[", to: "]]>")
    }
    sax.comment = { reference, _ in
      XMLParser.at(reference)?.pointee.markup(.comment, from: "<!--", to: "-->")
    }
    sax.processingInstruction = { reference, _, _ in
      XMLParser.at(reference)?.pointee.markup(.processingInstruction, from: "<?", to: "?>")
    }
    sax.serror = { reference, error in
      guard let error else { return }
      XMLParser.at(reference)?.pointee.error(error.pointee)
    }
    return sax
  }

  /// Details of a start tag from libxml2. Only tags with attributes need them.
  private struct TagDetails {
    /// Whether the element is in a namespace or declares one.
    let isInNamespace: Bool
    let attributeCount: Int
    /// Five pointers for each attribute; the second is its prefix.
    let attributes: UnsafeRawPointer?

    /// Whether the element is in a namespace, or refers to one other than XML's.
    var hasNamespace: Bool {
      guard !isInNamespace, let attributes, attributeCount > 0 else { return isInNamespace }
      let pointers = UnsafeBufferPointer(
        start: attributes.assumingMemoryBound(to: UnsafePointer<xmlChar>?.self),
        count: attributeCount * 5)
      return stride(from: 1, to: pointers.count, by: 5).contains { index in
        pointers[index].map { String(cString: $0) != "xml" } ?? false
      }
    }
  }
}
