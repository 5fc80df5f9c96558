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
