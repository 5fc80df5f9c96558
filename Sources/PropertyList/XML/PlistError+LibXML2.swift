internal import CLibXML2

extension PlistError.XMLDefect {
  /// The defect for an error of libxml2, in or near the markup at a position. It does not say which
  /// end tag is missing.
  init(_ code: xmlParserErrors, in text: UnsafeRawBufferPointer, at markup: Int) {
    self =
      switch code {
      case XML_ERR_DOCUMENT_EMPTY: .elementExpected
      case XML_ERR_DOCUMENT_END, XML_ERR_EXTRA_CONTENT: .contentAfterEnd
      case XML_ERR_LT_IN_ATTRIBUTE, XML_ERR_ATTRIBUTE_NOT_STARTED, XML_ERR_ATTRIBUTE_NOT_FINISHED,
        XML_ERR_ATTRIBUTE_WITHOUT_VALUE, XML_ERR_ATTRIBUTE_REDEFINED:
        .malformedAttribute
      case XML_ERR_SPACE_REQUIRED:
        text.hasBytes("<?", at: markup)
          ? .malformedInstruction
          : text.hasBytes("<!", at: markup) ? .malformedDoctype : .malformedAttribute
      case XML_ERR_COMMENT_NOT_FINISHED, XML_ERR_HYPHEN_IN_COMMENT: .malformedComment
      case XML_ERR_PI_NOT_STARTED, XML_ERR_PI_NOT_FINISHED, XML_ERR_RESERVED_XML_NAME,
        XML_ERR_XMLDECL_NOT_STARTED, XML_ERR_XMLDECL_NOT_FINISHED, XML_ERR_STANDALONE_VALUE,
        XML_ERR_ENCODING_NAME, XML_ERR_VERSION_MISSING, XML_ERR_EQUAL_REQUIRED,
        XML_ERR_STRING_NOT_STARTED, XML_ERR_STRING_NOT_CLOSED:
        .malformedInstruction
      case XML_ERR_DOCTYPE_NOT_FINISHED, XML_ERR_LITERAL_NOT_STARTED, XML_ERR_LITERAL_NOT_FINISHED,
        XML_ERR_URI_REQUIRED, XML_ERR_PUBID_REQUIRED:
        .malformedDoctype
      case XML_ERR_CDATA_NOT_FINISHED: .malformedCDATA
      case XML_ERR_MISPLACED_CDATA_END: .misplacedCDATAEnd
      case XML_ERR_NAME_REQUIRED, XML_ERR_LT_REQUIRED, XML_ERR_GT_REQUIRED: .malformedTag
      case XML_ERR_TAG_NAME_MISMATCH, XML_ERR_TAG_NOT_FINISHED, XML_ERR_LTSLASH_REQUIRED:
        .endTagExpected("", found: nil)
      default: .other(code: Int(code.rawValue))
      }
  }
}

/// An error at a byte of an XML document's text.
struct XMLFailure: Error {
  var kind: PlistError.Kind
  var offset: Int
}
