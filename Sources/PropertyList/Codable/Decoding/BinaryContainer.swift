/// A dictionary, array or set that is still encoded in a binary document.
struct BinaryContainer {
  let document: ValidatedBinaryDocument
  let object: Int
  let kind: PlistValue.Kind
  /// The number of elements or entries; repeated keys count each time.
  let count: Int
  /// The offset of the references to the keys of a dictionary.
  let keyStart: Int
  /// The offset of the references to the elements, or to the values of a dictionary.
  let start: Int

  /// The elements, or the values of a dictionary; those of repeated keys are included.
  var elements: DecodingElements { .encoded(document, start: start) }

  /// Returns the keys of a dictionary with the indices of their values.
  func keyLookup() -> KeyLookup { document.keyLookup(at: keyStart, count: count) }
}
