/// A dictionary, an array or a set where it stands in a binary document.
struct BinaryContainer {
  let document: BinaryDocument
  let object: Int
  let kind: PlistValue.Kind
  /// The number of elements, or of entries with repeated keys among them.
  let count: Int
  /// Where the references to the keys of a dictionary begin.
  let keyStart: Int
  /// Where the references to the elements begin, or to the values of a dictionary.
  let start: Int

  /// An element, or a value of a dictionary with repeated keys among them.
  func element(at index: Int) -> DecodedNode { document.node(at: start, index) }

  /// The elements, or the values of a dictionary with repeated keys among them.
  var contents: DecodedContents { .stored(document, start: start) }

  /// The keys of a dictionary with the indices of their values.
  var keys: DecodedKeys { document.keys(at: keyStart, count: count) }
}
