/// An error at a byte of an XML document's text.
struct XMLFailure: Error {
  var kind: PlistError.Kind
  var offset: Int
}
