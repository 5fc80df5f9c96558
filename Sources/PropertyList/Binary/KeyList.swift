/// The keys of a dictionary in a binary property list, some of which may be repeated.
struct BinaryKeys {
  /// The keys, each once.
  let shape: DictionaryShape
  /// For each key in the file its position in the shape; nil where that is the same.
  private let positions: [Int]?

  init(_ keys: [String]) {
    if let shape = DictionaryShape(distinct: keys) {
      self.shape = shape
      positions = nil
    } else {
      var dictionary: PlistDictionary = [:]
      positions = keys.map { key in
        dictionary.updateValue(.null, forKey: key)
        return dictionary.shape.position(of: key)!
      }
      shape = dictionary.shape
    }
  }

  /// The position of a key in the shape, by its index in the file.
  @inline(__always)
  func position(of index: Int) -> Int { positions.map { $0[index] } ?? index }

  /// The key, by its index in the file.
  func key(of index: Int) -> String { shape.keys[position(of: index)] }
}
