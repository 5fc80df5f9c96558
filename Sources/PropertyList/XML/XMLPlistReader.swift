internal import FoundationEssentials

/// Reads XML property lists.
///
/// The rules beyond well-formedness are those of Apple's PropertyList-1.0 document type, made
/// strict where leniency would lose data silently. An ``XMLParser`` calls the reader for each event
/// in document order; an error ends the parse.
struct XMLPlistReader: ~Copyable {
  private let lenientDates: Bool
  private var builder: PlistTreeBuilder

  /// The open element that is not a container.
  private var leaf: PlistElement?
  /// The text of the leaf so far. It arrives in pieces, split at references and at the end of the
  /// parser's buffer.
  private var content = OutputBuffer()
  private var keyLocation: PlistError.Location?
  private var hasPlistElement = false

  /// Reads a whole document.
  static func read(
    _ data: Data, options: PlistReadOptions
  ) throws(PlistError) -> (PlistValue, [PlistWarning]) {
    var reader = XMLPlistReader(options)
    try XMLParser.parse(data, limits: options.limits, reader: &reader)
    guard let root = reader.builder.root else { preconditionFailure("a parse without a root") }
    return (root, reader.builder.warnings)
  }

  private init(_ options: PlistReadOptions) {
    lenientDates = options.allowsLenientDates
    builder = PlistTreeBuilder(limits: options.limits)
  }

  /// The path of the value that is being read.
  var keyPath: PlistKeyPath { builder.keyPath }

  /// Whether the next text may contain control characters, which XML excludes.
  var acceptsControlCharacters: Bool { leaf == .string || leaf == .key }

  /// Whether the innermost open element holds text.
  @inline(__always)
  var isInText: Bool { leaf?.holdsText == true }

  /// The innermost open element, for error texts.
  private var surroundings: String {
    if let leaf { return leaf.tag }
    switch builder.isInDictionary {
    case true?: return PlistElement.dict.tag
    case false?: return PlistElement.array.tag
    case nil: return hasPlistElement ? PlistElement.plist.tag : "the document itself"
    }
  }

  // MARK: Elements

  /// Handles a start tag.
  ///
  /// - Parameter location: The location of the tag's `<`.
  @inline(__always)
  mutating func startElement(
    _ element: PlistElement, at location: PlistError.Location
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
      keyLocation = location
    default:
      try checkValueIsAllowed(element, at: location)
    }

    switch element {
    case .dict, .array:
      try builder.open(dictionary: element == .dict)
    default:
      leaf = element
      content.truncate(to: 0)
    }
  }

  @inline(__always)
  private mutating func checkValueIsAllowed(
    _ element: PlistElement, at location: PlistError.Location
  ) throws(PlistError.Kind) {
    switch builder.isInDictionary {
    case true?:
      if !builder.awaitsValue { throw .keyExpected(found: element.tag) }
    case false?:
      break
    case nil:
      if builder.root != nil {
        throw .misplacedElement(element.rawValue, in: "<plist> after its value")
      }
      if !hasPlistElement { builder.warn(.noPlistElement, at: location) }
    }
  }

  /// Handles the end of the innermost open element.
  @inline(__always)
  mutating func endElement() throws(PlistError.Kind) {
    guard let leaf else { return try endContainer() }
    switch leaf {
    case .key:
      try builder.key(content.bytes, at: keyLocation)
    case .string:
      try builder.add(.string(String(decodingUTF8: content.bytes)))
    case .true:
      try builder.add(.boolean(true))
    case .false:
      try builder.add(.boolean(false))
    case .integer:
      try builder.add(ScalarText.integer(content.bytes))
    case .real:
      try builder.add(.real(ScalarText.real(content.bytes)))
    case .date:
      try builder.add(.date(ScalarText.date(content.bytes, lenient: lenientDates)))
    case .data:
      guard let data = Base64.decode(content.bytes) else { throw .malformedBase64 }
      try builder.add(.data(data))
    case .dict, .array, .plist:
      preconditionFailure("a container among the leaves")
    }
    self.leaf = nil
  }

  private mutating func endContainer() throws(PlistError.Kind) {
    switch builder.isInDictionary {
    case true?:
      if builder.awaitsValue { throw .valueExpected(found: "</dict>") }
      let value = builder.close()
      builder.attach(Self.uid(value) ?? value)
    case false?:
      builder.attach(builder.close())
    case nil:
      if builder.root == nil { throw .noValue }
    }
  }

  /// The UID that a dictionary stands for: XML has no element for UIDs, and Apple's writers write
  /// `{CF$UID = n}` instead.
  private static func uid(_ value: PlistValue) -> PlistValue? {
    guard case .dictionary(let dictionary) = value, dictionary.count == 1,
      case .integer(let number)? = dictionary["CF$UID"], let uid = UInt32(exactly: number)
    else { return nil }
    return .uid(uid)
  }

  // MARK: Text

  /// Handles a piece of text.
  @inline(__always)
  mutating func text(_ bytes: UnsafeRawBufferPointer) throws(PlistError.Kind) {
    if isInText {
      content.append(bytes)
    } else {
      for byte in bytes where !byte.isXMLSpace { throw .strayText(in: surroundings) }
    }
  }

  /// Handles a CDATA section.
  mutating func cdata(_ bytes: UnsafeRawBufferPointer) throws(PlistError.Kind) {
    guard acceptsControlCharacters else { throw .strayMarkup(.cdata, in: surroundings) }
    content.append(bytes)
  }

  /// Handles a comment.
  func comment() throws(PlistError.Kind) {
    if let leaf { throw .strayMarkup(.comment, in: leaf.tag) }
  }

  /// Handles a processing instruction.
  func processingInstruction() throws(PlistError.Kind) {
    if let leaf { throw .strayMarkup(.processingInstruction, in: leaf.tag) }
  }
}
