internal import Glibc

extension PlistError {
  /// What is wrong with a document or a value.
  public enum Kind: Error, Sendable, Hashable {
    // Any format.

    /// The document has no content.
    case empty
    /// Containers are nested deeper than ``PlistLimits/maximumDepth``.
    case tooDeep(limit: Int)
    /// The document holds more values than ``PlistLimits/maximumNodeCount``.
    case tooManyNodes(limit: Int)
    /// The document is larger than ``PlistLimits/maximumSize``.
    case tooLarge(limit: Int)
    /// An integer does not fit the range -2^63 to 2^64-1.
    case integerOutOfRange
    /// A date that is not a number.
    case notADate
    /// A date so far away that a double does not hold its seconds.
    case dateOutOfRange

    // XML.

    /// The document is not well-formed XML.
    case notWellFormed(XMLDefect)
    /// The encoding is not one of those that property lists use.
    case unsupportedEncoding(String)
    /// The document begins with a UTF-8 byte-order mark but declares another encoding.
    case encodingContradictsMark(String)
    /// More than ``PlistLimits/maximumMarkupLength`` bytes passed without an XML event.
    case markupTooLong(limit: Int)
    /// An element has more attributes than ``PlistLimits/maximumAttributeCount``.
    case tooManyAttributes(limit: Int)
    /// The document type declaration has an internal subset, in which entities could be defined.
    case internalSubset
    /// An element that property lists do not know.
    case unknownElement(String)
    /// An element or attribute of an XML namespace.
    case foreignNamespace(String)
    /// An element where none of its name may stand.
    case misplacedElement(String, in: String)
    /// In a dictionary, a value where a key must stand.
    case keyExpected(found: String)
    /// In a dictionary, a key without a value.
    case valueExpected(found: String)
    /// Text where only elements may stand.
    case strayText(in: String)
    /// A comment, processing instruction or CDATA section inside an element that holds plain text.
    case strayMarkup(Markup, in: String)
    /// `<plist>` holds no value.
    case noValue
    /// The content of `<integer>` is not an integer.
    case malformedInteger
    /// The content of `<real>` is not a number.
    case malformedReal
    /// The content of `<real>` is beyond the range of a double.
    case realOutOfRange
    /// The content of `<date>` is not a date.
    case malformedDate
    /// The content of `<data>` is not base64.
    case malformedBase64

    // Binary.

    /// The leading bytes name a version of the binary format that is not known.
    case unsupportedVersion
    /// The trailer, the last 32 bytes, contradicts itself or the file.
    case malformedTrailer(TrailerField)
    /// An entry of the offset table points outside the object area.
    case offsetOutOfRange(object: Int)
    /// An object reaches beyond the object area.
    case objectTooLong
    /// The objects overlap, so that together they are longer than the object area.
    case overlappingObjects
    /// An object begins with a byte that has no meaning, or no meaning in a property list.
    case unsupportedObject(marker: UInt8)
    /// An object's length is not an integer.
    case malformedLength
    /// A container refers to an object that does not exist.
    case referenceOutOfRange(object: Int)
    /// A container contains itself.
    case cycle
    /// The key of a dictionary is not a string.
    case keyNotString
    /// A string holds bytes above 127 although it is marked as ASCII.
    case malformedASCII
    /// A string holds half of a surrogate pair.
    case malformedUTF16
    /// A UID does not fit 32 bits.
    case uidOutOfRange

    // OpenStep and JSON.

    /// The text goes on in a way that the syntax does not allow.
    case unexpectedText(expected: String)
    /// The text ends within a string, a comment, data or a container.
    case unterminated(String)
    /// The bytes of OpenStep text are not text of its encoding.
    case malformedText
    /// The bytes of JSON are not UTF-8.
    case malformedUTF8
    /// JSON in UTF-16 or UTF-32.
    case unsupportedUnicodeEncoding

    // Files.

    /// A system call on the file failed, with this value of `errno`.
    case inaccessible(FileOperation, code: Int32)
    /// The file is a folder, a pipe or a device.
    case notRegularFile
    /// The file is no longer as it was when it was opened.
    case fileChanged

    // Writing.

    /// The format cannot hold a value of this kind.
    case unrepresentableKind(PlistValue.Kind, PlistFormat)
    /// The format cannot hold a string or key with this character.
    case unrepresentableCharacter(UInt32, PlistFormat)
    /// The date has a fraction of a second, which the format would drop; only with
    /// ``PlistWriteOptions/rejectsFractionalSeconds``.
    case fractionalSeconds(PlistFormat)
    /// A dictionary whose only key is `CF$UID` and whose value is a number that fits a UID would be
    /// read back as a UID.
    case wouldBecomeUID
    /// The format cannot hold a real that is infinite or not a number.
    case notFinite(PlistFormat)
    /// The root is not a dictionary, as that of a strings table is.
    case stringsRootNotDictionary(PlistValue.Kind)
  }

  /// The ways in which a document fails to be well-formed XML.
  public enum XMLDefect: Sendable, Hashable {
    /// No element begins where one must.
    case elementExpected
    /// Something follows the root element.
    case contentAfterEnd
    /// A start or end tag is broken off or malformed.
    case malformedTag
    /// An end tag does not match its start tag, or the document ends before it.
    case unclosedElement
    /// An attribute is malformed or stands twice.
    case malformedAttribute
    /// `&` does not begin a reference that XML defines without a DTD.
    case undefinedEntity
    /// A character reference is malformed.
    case malformedReference
    /// A character that XML does not allow where it stands.
    case invalidCharacter
    /// A comment is not closed or holds `--`.
    case malformedComment
    /// A CDATA section is not closed or holds a character that XML does not allow.
    case malformedCDATA
    /// `]]>` stands in text.
    case misplacedCDATAEnd
    /// A processing instruction or the XML declaration is malformed or misplaced.
    case malformedInstruction
    /// The document type declaration is malformed.
    case malformedDoctype
    /// The bytes are not text of the document's encoding.
    case malformedEncoding
    /// Another defect, by libxml2's number for it.
    case other(code: Int)
  }

  /// Markup that may stand between elements but not in every one of them.
  public enum Markup: String, Sendable, Hashable {
    /// The sorts of markup, by the name that XML gives them.
    case comment = "comment"
    /// `<?target …?>`.
    case processingInstruction = "processing instruction"
    /// `<![CDATA[…]]>`.
    case cdata = "CDATA section"
  }

  /// What is done with a file that is read in parts.
  public enum FileOperation: String, Sendable, Hashable {
    /// The operations, by the verb that follows "cannot".
    case open, examine, read
  }

  /// The parts of a binary property list's trailer.
  public enum TrailerField: Sendable, Hashable {
    /// The file is too short to have a header, an object, a table and a trailer.
    case length
    /// The size of an offset.
    case offsetSize
    /// The size of an object reference.
    case referenceSize
    /// The number of objects.
    case objectCount
    /// The top object's number.
    case topObject
    /// The place of the offset table, which must reach from there to the trailer exactly.
    case tableOffset
  }
}

extension PlistError.Kind: CustomStringConvertible {
  /// What is wrong and what was expected, without a place.
  public var description: String {
    switch self {
    case .empty: "the document is empty; expected a property list"
    case .tooDeep(let limit): "containers are nested deeper than \(limit) levels"
    case .tooManyNodes(let limit): "the document holds more than \(limit) values"
    case .tooLarge(let limit): "the document is larger than \(limit) bytes"
    case .integerOutOfRange: "the integer is out of range; expected -2^63 to 2^64-1"
    case .notADate: "the date is not a number"
    case .dateOutOfRange: "the date is out of range; expected a year from -200000000 to 200000000"

    case .notWellFormed(let defect): "\(defect)"
    case .unsupportedEncoding(let name):
      "the encoding \(name.excerpt) is not supported; "
        + "expected UTF-8, UTF-16, US-ASCII, ISO-8859-1 or windows-1252"
    case .encodingContradictsMark(let name):
      "the encoding \(name.excerpt) contradicts the byte-order mark; expected UTF-8"
    case .tooManyAttributes(let limit): "the tag has more than \(limit) attributes"
    case .markupTooLong(let limit):
      "a tag, comment or CDATA section is longer than \(limit) bytes"
    case .internalSubset:
      "the DOCTYPE has an internal subset; expected none, entities cannot be defined"
    case .unknownElement(let name):
      "<\(name.excerpt)> is not an element of property lists"
    case .foreignNamespace(let name): "<\(name.excerpt)> has a namespace; expected none"
    case .misplacedElement(let name, let parent): "<\(name)> may not stand in \(parent)"
    case .keyExpected(let found): "expected <key> or </dict>, found \(found)"
    case .valueExpected(let found): "the key has no value; expected one, found \(found)"
    case .strayText(let parent): "text may not stand in \(parent)"
    case .strayMarkup(let markup, let parent): "a \(markup.rawValue) may not stand in \(parent)"
    case .noValue: "<plist> is empty; expected one value"
    case .malformedInteger:
      "the integer is malformed; expected decimal digits, or hexadecimal ones after 0x"
    case .malformedReal:
      "the real is malformed; expected a decimal number, nan, infinity or -infinity"
    case .realOutOfRange: "the real is out of the range of a double"
    case .malformedDate: "the date is malformed; expected YYYY-MM-DDTHH:MM:SSZ"
    case .malformedBase64: "the data is malformed; expected base64 with its padding"

    case .unsupportedVersion:
      "the version of the binary format is not supported; expected bplist00"
    case .malformedTrailer(let field): "the trailer is malformed: \(field)"
    case .offsetOutOfRange(let object): "the offset of object \(object) is outside the object area"
    case .objectTooLong: "the object reaches beyond the object area"
    case .overlappingObjects: "the objects overlap; expected each to have bytes of its own"
    case .unsupportedObject(let marker):
      "the object type 0x\(marker < 16 ? "0" : "")\(String(marker, radix: 16)) is not supported"
    case .malformedLength: "the object's length is malformed; expected an integer of 1 to 8 bytes"
    case .referenceOutOfRange(let object):
      "the container refers to object \(object), which does not exist"
    case .cycle: "the container contains itself"
    case .keyNotString: "the dictionary's key is not a string"
    case .malformedASCII: "the string is malformed; expected ASCII bytes"
    case .malformedUTF16: "the string is malformed; expected UTF-16 with whole surrogate pairs"
    case .uidOutOfRange: "the UID is out of range; expected 0 to 2^32-1"

    case .unexpectedText(let expected): "expected \(expected)"
    case .unterminated(let what): "\(what) is not closed"
    case .malformedText: "the text is malformed; expected UTF-8, or UTF-16 with a byte-order mark"
    case .malformedUTF8: "the text is malformed; expected UTF-8"
    case .unsupportedUnicodeEncoding: "the document is in UTF-16 or UTF-32; expected UTF-8"

    case .inaccessible(let operation, let code):
      "cannot \(operation.rawValue): \(String(cString: strerror(code)))"
    case .notRegularFile: "not a regular file; expected one"
    case .fileChanged: "the file was changed after it had been opened"

    case .unrepresentableKind(let kind, let format):
      "\(format.title) cannot hold \(kind.withArticle)"
    case .unrepresentableCharacter(let scalar, let format):
      "\(format.title) cannot hold the character U+\(Self.codePoint(scalar)) of a string"
    case .fractionalSeconds(let format):
      "\(format.title) holds whole seconds; the date has a fraction"
    case .wouldBecomeUID: "XML would turn a dictionary with the one key CF$UID into a UID"
    case .notFinite(let format):
      "\(format.title) cannot hold a real that is infinite or not a number"
    case .stringsRootNotDictionary(let kind):
      "a strings table cannot hold \(kind.withArticle) as its root"
    }
  }

  private static func codePoint(_ scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension PlistError.XMLDefect: CustomStringConvertible {
  /// What is wrong and what was expected.
  public var description: String {
    switch self {
    case .elementExpected: "expected an element"
    case .contentAfterEnd: "expected nothing but comments after the end of the root element"
    case .malformedTag: "the tag is malformed; expected <name> or </name>"
    case .unclosedElement: "the element is not closed by an end tag of its name"
    case .malformedAttribute: "the attribute is malformed; expected name=\"value\""
    case .undefinedEntity: "the entity is not defined; expected amp, lt, gt, apos or quot"
    case .malformedReference: "the character reference is malformed; expected &#…; or &#x…;"
    case .invalidCharacter: "the character is not allowed here in XML"
    case .malformedComment: "the comment is malformed; expected --> at its end and no -- before"
    case .malformedCDATA:
      "the CDATA section is malformed; expected ]]> at its end and no control character before"
    case .misplacedCDATAEnd: "]]> may not stand in text; expected ]]&gt;"
    case .malformedInstruction: "the XML declaration or processing instruction is malformed"
    case .malformedDoctype: "the DOCTYPE is malformed; expected it to end with >"
    case .malformedEncoding: "the bytes are not text of the document's encoding"
    case .other(let code): "the XML is not well-formed (libxml2 error \(code))"
    }
  }
}

extension PlistError.TrailerField: CustomStringConvertible {
  /// The field and what was expected of it.
  public var description: String {
    switch self {
    case .length: "the file is too short; expected a header, an object, a table and a trailer"
    case .offsetSize: "expected offsets of 1 to 8 bytes that reach the offset table"
    case .referenceSize: "expected references of 1 to 8 bytes that reach every object"
    case .objectCount: "expected at least one object"
    case .topObject: "expected the top object to be one of the objects"
    case .tableOffset: "expected the offset table to reach from its offset to the trailer"
    }
  }
}

extension PlistValue.Kind {
  /// The kind's name behind its article, as in `an array`.
  package var withArticle: String {
    self == .array || self == .integer ? "an \(self)" : "a \(self)"
  }
}
