import Defaults

/// A custom collection type.
struct Track<Element: Defaults.Serializable>: Collection {
  var points: [Element]

  var startIndex: Int { points.startIndex }
  var endIndex: Int { points.endIndex }

  func index(after index: Int) -> Int {
    points.index(after: index)
  }

  subscript(position: Int) -> Element {
    points[position]
  }
}

extension Track: Defaults.CollectionSerializable {
  init(_ elements: [Element]) {
    points = elements
  }
}

extension Defaults.Keys {
  static let track = Key<Track<String>>("track", default: Track(["Lund", "Ystad"]))
}
