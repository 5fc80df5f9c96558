internal import FoundationEssentials

/// Reads XML property lists.
///
/// The rules beyond well-formedness are Apple's PropertyList-1.0 document type, made strict where
/// leniency would lose data without a word.
final class XMLPlistReader: XMLEventHandler {
  private let options: PlistReadOptions
  private var builder: PlistTreeBuilder

  /// The element whose text is being gathered, or an empty one that is open.
  private var leaf: PlistElement?
  private var content: [UInt8] = []
  private var keyLocation: PlistError.Location?
  private var hasPlistElement = false

  /// Reads a whole document.
  static func read(
    _ data: Data, options: PlistReadOptions
  ) throws(PlistError) -> (PlistValue, [PlistWarning]) {
    let reader = XMLPlistReader(options)
    try XMLParser.parse(data, limits: options.limits, handler: reader)
    guard let root = reader.builder.root else { preconditionFailure("a parse without a root") }
    return (root, reader.builder.warnings)
  }

  private init(_ options: PlistReadOptions) {
    self.options = options
    builder = PlistTreeBuilder(limits: options.limits)
  }

  var keyPath: PlistKeyPath { builder.keyPath }

  var acceptsControlCharacters: Bool { leaf == .string || leaf == .key }

  /// The place in which the reader stands, for error texts.
  private var surroundings: String {
    if let leaf { return leaf.tag }
    switch builder.isInDictionary {
    case true?: return PlistElement.dict.tag
    case false?: return PlistElement.array.tag
    case nil: return hasPlistElement ? PlistElement.plist.tag : "the document itself"
    }
  }

  // MARK: Elements

  func startElement(
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
      try checkValueMayStand(element, at: location)
    }

    switch element {
    case .dict, .array:
      try builder.open(dictionary: element == .dict)
    default:
      leaf = element
      content.removeAll(keepingCapacity: true)
    }
  }

  private func checkValueMayStand(
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

  func endElement(_ element: PlistElement) throws(PlistError.Kind) {
    switch element {
    case .plist:
      if builder.root == nil { throw .noValue }
    case .dict:
      if builder.awaitsValue { throw .valueExpected(found: "</dict>") }
      let value = builder.close()
      builder.attach(Self.uid(value) ?? value)
    case .array:
      builder.attach(builder.close())
    case .key:
      try builder.key(String(decoding: content, as: UTF8.self), at: keyLocation)
    case .string:
      try builder.add(.string(String(decoding: content, as: UTF8.self)))
    case .true:
      try builder.add(.boolean(true))
    case .false:
      try builder.add(.boolean(false))
    case .integer:
      try builder.add(try ScalarText.integer(content))
    case .real:
      try builder.add(.real(try ScalarText.real(content)))
    case .date:
      try builder.add(.date(try ScalarText.date(content, lenient: options.lenientDates)))
    case .data:
      guard let data = Base64.decode(content) else { throw .malformedBase64 }
      try builder.add(.data(data))
    }
    leaf = nil
  }

  /// The UID that a dictionary spells: XML has no element for UIDs, and Apple's writers put
  /// `{CF$UID = n}` in their place.
  private static func uid(_ value: PlistValue) -> PlistValue? {
    guard case .dictionary(let dictionary) = value, dictionary.count == 1,
      case .integer(let number)? = dictionary["CF$UID"], let uid = UInt32(exactly: number)
    else { return nil }
    return .uid(uid)
  }

  // MARK: Text

  func text(_ bytes: UnsafeBufferPointer<UInt8>) throws(PlistError.Kind) {
    if let leaf, leaf.holdsText {
      content.append(contentsOf: bytes)
    } else if !bytes.allSatisfy(\.isXMLSpace) {
      throw .strayText(in: surroundings)
    }
  }

  func cdata(_ bytes: UnsafeBufferPointer<UInt8>) throws(PlistError.Kind) {
    guard acceptsControlCharacters else { throw .strayMarkup(.cdata, in: surroundings) }
    content.append(contentsOf: bytes)
  }

  func comment() throws(PlistError.Kind) {
    if let leaf { throw .strayMarkup(.comment, in: leaf.tag) }
  }

  func processingInstruction() throws(PlistError.Kind) {
    if let leaf { throw .strayMarkup(.processingInstruction, in: leaf.tag) }
  }
}
