/// A coding path as a linked list that shares its prefix with the paths of neighboring values. Keys
/// are only created on request.
indirect enum CodingPath {
  case root
  case key(any CodingKey, after: CodingPath)
  case index(Int, after: CodingPath)

  /// The keys, from the root down.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var path = self
    while true {
      switch path {
      case .root: return keys.reversed()
      case .key(let key, let parent):
        keys.append(key)
        path = parent
      case .index(let index, let parent):
        keys.append(PlistCodingKey(index: index))
        path = parent
      }
    }
  }
}

/// A coding key that no type declares: the key of an entry or the index of an element.
struct PlistCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let superclass = PlistCodingKey(stringValue: "super")

  static let uid = PlistCodingKey(stringValue: "CF$UID")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// Creates the key of the element at a zero-based index.
  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
}
