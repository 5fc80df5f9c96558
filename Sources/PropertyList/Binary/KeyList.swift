/// The keys of a dictionary in a binary property list, which may repeat.
struct KeyList {
  /// The distinct keys in the order of their first occurrence.
  let shape: DictionaryShape
  /// The position in the shape for each index in the file; nil if the keys are distinct, so that
  /// both are the same.
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

  /// Returns the position in the shape of the key at an index in the file.
  @inline(__always)
  func position(of index: Int) -> Int { positions.map { $0[index] } ?? index }

  /// Returns the key at an index in the file.
  func key(at index: Int) -> String { shape.keys[position(of: index)] }

  /// The index in the file of the last occurrence of each key of the shape; empty if the keys are
  /// distinct.
  var lastIndices: [Int] {
    guard let positions else { return [] }
    var indices = Array(repeating: 0, count: shape.keys.count)
    for (index, position) in positions.enumerated() { indices[position] = index }
    return indices
  }
}
