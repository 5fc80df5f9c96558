/// A key of a coding path that no type declares: an entry's text, or an element's index.
struct PlistCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  /// Where a class leaves what its superclass encodes.
  static let superclass = PlistCodingKey(stringValue: "super")

  /// Where XML keeps the number of a UID.
  static let uid = PlistCodingKey(stringValue: "CF$UID")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// The key of an element, counted from zero.
  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
}
