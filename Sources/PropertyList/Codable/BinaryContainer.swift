/// A dictionary, an array or a set where it stands in a binary document.
struct BinaryContainer {
  let document: BinaryDocument
  let object: Int
  let kind: PlistValue.Kind
  /// The number of elements, or of entries with repeated keys among them.
  let count: Int
  /// Where the references begin: those of the elements; in a dictionary those of all keys, then those of
  /// all values.
  let start: Int

  /// An element, or a value of a dictionary with repeated keys among them.
  func element(at index: Int) -> DecodedNode {
    document.node(at: start, kind == .dictionary ? count + index : index)
  }

  /// The same, but of a container only the kind.
  @inline(__always)
  func shallow(at index: Int) -> PlistValue {
    document.shallow(at: start, kind == .dictionary ? count + index : index)
  }

  /// The keys of a dictionary, each once, with the indices of their values.
  var keys: PlistDictionary { document.keys(at: start, count: count) }
}
