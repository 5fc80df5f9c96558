internal import Glibc

extension PlistError.Kind: CustomStringConvertible {
  /// The defect and what was expected, without a place.
  public var description: String {
    switch self {
    case .empty: "the document is empty; expected a property list"
    case .tooDeep(let limit): "containers are nested deeper than \(limit) levels"
    case .tooManyNodes(let limit): "the document contains more than \(limit) values"
    case .tooLarge(let limit): "the document is larger than \(limit) bytes"
    case .integerOutOfRange: "the integer is out of range; expected -2^63 to 2^64-1"
    case .dateIsNaN: "the date is NaN; expected a point in time"
    case .dateOutOfRange: "the date is out of range; expected a year from -200000000 to 200000000"
    case .notPropertyList(.gitLFSPointer):
      "this is a Git LFS pointer, not a property list; git lfs pull fetches the file"
    case .notPropertyList(let format): "this is \(format), not a property list"
    case .conflictMarker: "found a conflict marker; resolve the merge conflict first"
    case .malformedEnvelope(let format):
      "this is \(format), but it is damaged; no property list can be found in it"
    case .emptyEnvelope(.machO):
      "this is a Mach-O file without a property list; expected a section __TEXT,__info_plist"
    case .emptyEnvelope(let format): "this is \(format), but it has no contents"

    case .notWellFormed(let defect): "\(defect)"
    case .unsupportedEncoding(let name):
      "the encoding \(name.excerpt) is not supported; "
        + "expected UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-1 or windows-1252"
    case .encodingContradictsByteOrderMark(let name):
      "the encoding \(name.excerpt) contradicts the byte-order mark; expected UTF-8"
    case .tooManyAttributes(let limit): "the tag has more than \(limit) attributes"
    case .markupTooLong(let limit): "a tag, comment or CDATA section is longer than \(limit) bytes"
    case .internalSubset:
      "the DOCTYPE has an internal subset; property lists must not define entities"
    case .unknownElement(let name):
      "<\(name.excerpt)> is not a property list element" + Self.suggestion(for: name)
    case .foreignNamespace(let name):
      "<\(name.excerpt)> is in a namespace; property list elements are in none"
    case .misplacedElement(let name, let parent): "<\(name)> is not allowed in \(parent)"
    case .keyExpected(let found): "expected <key> or </dict>, found \(found)"
    case .valueExpected(let found): "expected a value for the key, found \(found)"
    case .strayText(let parent): "text is not allowed in \(parent)"
    case .strayMarkup(let markup, let parent): "a \(markup.rawValue) is not allowed in \(parent)"
    case .noValue: "<plist> is empty; expected a value"
    case .malformedInteger: "not an integer; expected digits, or 0x and hexadecimal digits"
    case .malformedReal:
      "the real is malformed; expected a decimal number, nan, infinity or -infinity"
    case .realOutOfRange: "the real is out of range for a double"
    case .malformedDate: "the date is malformed; expected YYYY-MM-DDTHH:MM:SSZ"
    case .malformedBase64: "the data is malformed; expected base64 with padding"

    case .unsupportedVersion: "the version of the binary format is not supported; expected bplist00"
    case .malformedTrailer(let field): "the trailer is malformed; the file may be cut off: \(field)"
    case .offsetOutOfRange(let object): "the offset of object \(object) is outside the object area"
    case .objectTooLong: "the object extends beyond the object area"
    case .overlappingObjects: "the objects overlap; expected each to have its own bytes"
    case .unsupportedObject(let marker):
      "the object type 0x\(marker < 16 ? "0" : "")\(String(marker, radix: 16)) is not supported"
    case .malformedLength: "the object's length is malformed; expected an integer of 1 to 8 bytes"
    case .referenceOutOfRange(let object):
      "the container refers to object \(object), which does not exist"
    case .cycle: "the container contains itself"
    case .keyNotString: "a key of the dictionary is not a string"
    case .malformedUTF16: "the string is malformed; expected UTF-16 without unpaired surrogates"
    case .uidOutOfRange: "the UID is out of range; expected 0 to 2^32-1"

    case .unexpectedText(let expected): "expected \(expected)"
    case .unterminated(let what): "\(what) is not closed"
    case .malformedText:
      "the text is not valid in its encoding; expected UTF-8, or a byte-order mark and UTF-16 or "
        + "UTF-32"
    case .unknownEncoding(let name): "the encoding \(name.excerpt) is unknown; iconv -l lists all"
    case .jsonComment: "comments are not allowed in JSON"
    case .malformedUTF8: "the text is not valid UTF-8"
    case .unsupportedUnicodeEncoding: "the document is in UTF-16 or UTF-32; expected UTF-8"

    case .inaccessible(let operation, let code):
      "cannot \(operation.rawValue): \(String(cString: strerror(code)))"
    case .notRegularFile: "expected a regular file"
    case .fileChanged: "the file changed after it was opened"

    case .expandsTooFar(let limit, let factor):
      "the text would be larger than \(limit) bytes and more than \(factor) times the binary form"
    case .unrepresentableKind(let kind, let format):
      "\(format.title) cannot represent \(kind.plural)"
    case .unrepresentableCharacter(let scalar, let format):
      "\(format.title) cannot represent the character \(scalar.codePointText)"
    case .fractionalSeconds(let format): "\(format.title) cannot represent fractions of a second"
    case .wouldBecomeUID: "a dictionary whose only key is CF$UID would be read back as a UID"
    case .notFinite(let format): "\(format.title) cannot represent infinity or NaN"
    case .stringsRootNotDictionary(let kind):
      "expected a dictionary as the root of a strings table, found \(kind.withArticle)"
    }
  }
}

extension UInt32 {
  /// The text of a Unicode scalar, such as `U+0007`.
  var codePointText: String {
    let digits = String(self, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
  }
}

extension PlistError.XMLDefect: CustomStringConvertible {
  /// The defect and what was expected.
  public var description: String {
    switch self {
    case .elementExpected: "expected an element"
    case .contentAfterEnd: "unexpected content after the root element"
    case .malformedTag: "the tag is malformed; expected <name> or </name>"
    case .endTagExpected(let tag, let found):
      "expected \(tag), found \(found ?? "the end of the document")"
    case .malformedAttribute: "the attribute is malformed; expected name=\"value\""
    case .undefinedEntity: "the entity is not defined; expected &amp;, &lt;, &gt;, &apos; or &quot;"
    case .malformedReference: "the character reference is malformed; expected &#…; or &#x…;"
    case .invalidCharacter: "the character is not allowed in XML here"
    case .malformedComment: "the comment is malformed; expected --> at its end and no -- before"
    case .malformedCDATA:
      "the CDATA section is malformed; expected ]]> at its end and no control character before"
    case .misplacedCDATAEnd: "]]> is not allowed in text; expected ]]&gt;"
    case .malformedInstruction: "the XML declaration or processing instruction is malformed"
    case .malformedDoctype: "the DOCTYPE is malformed; expected it to end with >"
    case .malformedEncoding: "the bytes are not valid in the document's encoding"
    case .other: "the XML is not well-formed"
    }
  }
}

extension PlistError.TrailerField: CustomStringConvertible {
  /// The field and what was expected of it.
  public var description: String {
    switch self {
    case .length: "the file is too short; expected a header, objects, an offset table and a trailer"
    case .offsetSize: "expected offsets of 1 to 8 bytes that reach the offset table"
    case .referenceSize: "expected references of 1 to 8 bytes that reach every object"
    case .objectCount: "expected at least one object"
    case .topObject: "expected the top object to be one of the objects"
    case .tableOffset: "expected the offset table to reach from its offset to the trailer"
    }
  }
}

extension PlistError.Kind {
  /// The name that an unknown element was probably meant to have, after a semicolon; empty if there
  /// is none.
  private static func suggestion(for name: String) -> String {
    let element =
      switch name.lowercased() {
      case "int", "long", "number": "integer"
      case "float", "double": "real"
      case "bool", "boolean": "true/> or <false/"
      case "str", "text": "string"
      case "dictionary", "map", "object": "dict"
      case "list": "array"
      case let lowercase: lowercase
      }
    let isElement = element.contains("/") || PlistElement(rawValue: element) != nil
    return Suggestion.text(isElement ? "<\(element)>" : nil)
  }
}
