/// An error in reading a document or writing a value.
///
/// Its ``description`` is one line with the location, the problem and what was expected. It may
/// contain keys and element names of the document, but never its values.
public struct PlistError: Error, Sendable, Hashable {
  /// The kind of error.
  public var kind: Kind

  /// The location in the document; nil when writing, and for errors about the whole document.
  public var location: Location?

  /// The path of the value that was being read or written.
  public var keyPath: PlistKeyPath

  /// A location in a document.
  public enum Location: Sendable, Hashable {
    /// The line and the character within it, both counted from one, in XML, OpenStep text and JSON.
    case line(Int, column: Int)
    /// The offset of a byte, counted from zero, in a binary property list.
    case byte(Int)
  }

  package init(_ kind: Kind, at location: Location? = nil, keyPath: PlistKeyPath = PlistKeyPath()) {
    (self.kind, self.location, self.keyPath) = (kind, location, keyPath)
  }
}

extension PlistError: CustomStringConvertible {
  /// The error on one line, such as
  /// `line 4 column 12: the date is malformed; expected YYYY-MM-DDTHH:MM:SSZ (key path a.b)`.
  public var description: String { Self.describe(kind.description, at: location, keyPath: keyPath) }

  static func describe(_ what: String, at location: Location?, keyPath: PlistKeyPath) -> String {
    let place = location.map { "\($0): " } ?? ""
    let path = keyPath.isRoot ? "" : " (key path \(keyPath.excerpt))"
    return place + what + path
  }
}

extension PlistError.Location: CustomStringConvertible {
  /// `line 4 column 12` or `byte 31`.
  public var description: String {
    switch self {
    case .line(let line, let column): "line \(line) column \(column)"
    case .byte(let offset): "byte \(offset)"
    }
  }
}

extension PlistError {
  /// The kinds of errors.
  public enum Kind: Error, Sendable, Hashable {
    // Any format.

    /// The document is empty.
    case empty
    /// Containers are nested deeper than ``PlistLimits/maximumDepth``.
    case tooDeep(limit: Int)
    /// The document contains more values than ``PlistLimits/maximumNodeCount``.
    case tooManyNodes(limit: Int)
    /// The document is larger than ``PlistLimits/maximumSize``.
    case tooLarge(limit: Int)
    /// An integer is outside the range from -2^63 to 2^64-1.
    case integerOutOfRange
    /// The seconds of a date are NaN.
    case dateIsNaN
    /// The year of a date is outside the range from -200,000,000 to 200,000,000, where a double can
    /// represent every second.
    case dateOutOfRange

    /// The document is not a property list, but has this format.
    case notPropertyList(ForeignFormat)
    /// The document has an unresolved conflict of a version control system.
    case conflictMarker
    /// A signed message or a Mach-O file is damaged, so that no property list can be found in it.
    case malformedEnvelope(ForeignFormat)
    /// A signed message or a Mach-O file has no property list in it.
    case emptyEnvelope(ForeignFormat)

    // XML.

    /// The document is not well-formed XML.
    case notWellFormed(XMLDefect)
    /// Property lists do not use the encoding, whose name is attached.
    case unsupportedEncoding(String)
    /// The document begins with a UTF-8 byte-order mark but declares the attached encoding.
    case encodingContradictsByteOrderMark(String)
    /// A tag, comment or CDATA section is longer than ``PlistLimits/maximumMarkupLength`` bytes.
    case markupTooLong(limit: Int)
    /// An element has more attributes than the limit.
    case tooManyAttributes(limit: Int)
    /// The document type declaration has an internal subset, which could define entities.
    case internalSubset
    /// An element that property lists do not have.
    case unknownElement(String)
    /// An element or one of its attributes has an XML namespace.
    case foreignNamespace(String)
    /// An element is not allowed in the one around it.
    case misplacedElement(String, in: String)
    /// A dictionary has a value where a key is expected.
    case keyExpected(found: String)
    /// A key of a dictionary has no value.
    case valueExpected(found: String)
    /// Text where only elements are allowed.
    case strayText(in: String)
    /// A comment, processing instruction or CDATA section where it is not allowed.
    case strayMarkup(Markup, in: String)
    /// `<plist>` is empty.
    case noValue
    /// The content of `<integer>` is not an integer.
    case malformedInteger
    /// The content of `<real>` is not a number.
    case malformedReal
    /// The content of `<real>` is out of range for a double.
    case realOutOfRange
    /// The content of `<date>` is not a date.
    case malformedDate
    /// The content of `<data>` is not base64.
    case malformedBase64

    // Binary.

    /// The header names an unknown version of the binary format.
    case unsupportedVersion
    /// A field of the trailer, the last 32 bytes, is invalid.
    case malformedTrailer(TrailerField)
    /// An entry of the offset table points outside the object area.
    case offsetOutOfRange(object: Int)
    /// An object extends beyond the object area.
    case objectTooLong
    /// The objects overlap: their total length exceeds the object area.
    case overlappingObjects
    /// An object's marker byte is undefined or not used in property lists.
    case unsupportedObject(marker: UInt8)
    /// The length of an object is not an integer.
    case malformedLength
    /// A container refers to an object that does not exist.
    case referenceOutOfRange(object: Int)
    /// A container contains itself.
    case cycle
    /// The key of a dictionary is not a string.
    case keyNotString
    /// A string contains an unpaired surrogate.
    case malformedUTF16
    /// A UID does not fit into 32 bits.
    case uidOutOfRange

    // OpenStep and JSON.

    /// A syntax error, with what is expected there.
    case unexpectedText(expected: String)
    /// The text ends within a string, a comment, data or a container, which is named.
    case unterminated(String)
    /// OpenStep text is not valid in its encoding.
    case malformedText
    /// The system cannot convert from the encoding that
    /// ``PlistReadOptions/encoding`` names.
    case unknownEncoding(String)
    /// JSON has a comment.
    case jsonComment
    /// JSON is not valid UTF-8.
    case malformedUTF8
    /// JSON in UTF-16 or UTF-32.
    case unsupportedUnicodeEncoding

    // Files.

    /// A system call on the file failed, with this value of `errno`.
    case inaccessible(FileOperation, code: Int32)
    /// The path is a folder, a pipe or a device.
    case notRegularFile
    /// The file changed after it was opened.
    case fileChanged

    // Writing.

    /// Text would take more bytes than the limit, which is the attached factor times the size of
    /// the value in binary; see ``PlistLimits/maximumExpansion``.
    case expandsTooFar(limit: Int, factor: Int)
    /// The format cannot represent values of a kind.
    case unrepresentableKind(PlistValue.Kind, PlistFormat)
    /// The format cannot represent a Unicode scalar in a string or key.
    case unrepresentableCharacter(UInt32, PlistFormat)
    /// A date has a fraction of a second, which the format cannot store; thrown only with
    /// ``PlistWriteOptions/rejectsFractionalSeconds``.
    case fractionalSeconds(PlistFormat)
    /// A dictionary whose only key is `CF$UID`, with an integer that fits a UID, would be read back
    /// as a UID.
    case wouldBecomeUID
    /// The format cannot represent infinity and NaN.
    case notFinite(PlistFormat)
    /// The root of a strings table is not a dictionary but of this kind.
    case stringsRootNotDictionary(PlistValue.Kind)
  }

  /// The violations of well-formedness in XML.
  public enum XMLDefect: Sendable, Hashable {
    /// An element is missing.
    case elementExpected
    /// Something follows the root element.
    case contentAfterEnd
    /// A start or end tag is incomplete or malformed.
    case malformedTag
    /// An end tag is missing or does not match its start tag: the expected tag, and the found one;
    /// nil at the end of the document.
    case endTagExpected(String, found: String?)
    /// An attribute is malformed or repeated.
    case malformedAttribute
    /// An entity reference is malformed, or does not name one of the five that XML predefines.
    case undefinedEntity
    /// A character reference is malformed.
    case malformedReference
    /// XML does not allow a character.
    case invalidCharacter
    /// A comment is not closed or contains `--`.
    case malformedComment
    /// A CDATA section is not closed or contains a character that XML does not allow.
    case malformedCDATA
    /// Text contains `]]>`.
    case misplacedCDATAEnd
    /// A processing instruction or the XML declaration is malformed or misplaced.
    case malformedInstruction
    /// The document type declaration is malformed.
    case malformedDoctype
    /// The bytes are not valid in the document's encoding.
    case malformedEncoding
    /// Another defect, with the error code of libxml2.
    case other(code: Int)
  }

  /// Markup that is not allowed in every element.
  public enum Markup: String, Sendable, Hashable {
    /// `<!--…-->`.
    case comment = "comment"
    /// `<?target …?>`.
    case processingInstruction = "processing instruction"
    /// `<![CDATA[…]]>`.
    case cdata = "CDATA section"
  }

  /// The system calls on a file that is read in parts.
  public enum FileOperation: String, Sendable, Hashable {
    /// The operations, by their verbs in error texts.
    case open, examine, read
  }

  /// The parts of a binary property list's trailer.
  public enum TrailerField: Sendable, Hashable {
    /// The file is too short for a header, an object, an offset table and a trailer.
    case length
    /// The size of the offsets in the table.
    case offsetSize
    /// The size of the object references.
    case referenceSize
    /// The number of objects.
    case objectCount
    /// The number of the root object.
    case topObject
    /// The position of the offset table, which must end at the trailer.
    case tableOffset
  }
}
