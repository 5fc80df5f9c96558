/// A source of events that a file needs: a name in a watched folder, or with an empty name the
/// folder itself.
struct WatchInterest: Hashable {
  var watch: Int32
  var name: PathBytes
}

/// The events that a file needs, by their sources. A list, since there are few and a server has one
/// for each of thousands of files.
struct WatchInterests: Equatable, Sequence {
  private var list: [(interest: WatchInterest, mask: UInt32)] = []

  /// The events of a source; none if it is not in the list. Setting them adds a missing source.
  subscript(interest: WatchInterest) -> UInt32 {
    get { list.first { $0.interest == interest }?.mask ?? 0 }
    set {
      if let index = list.firstIndex(where: { $0.interest == interest }) {
        list[index].mask = newValue
      } else {
        list.append((interest, newValue))
      }
    }
  }

  /// Whether a watch is among the sources.
  func contains(_ watch: Int32) -> Bool { list.contains { $0.interest.watch == watch } }

  /// Removes the sources of a watch.
  mutating func remove(_ watch: Int32) { list.removeAll { $0.interest.watch == watch } }

  func makeIterator() -> some IteratorProtocol<(interest: WatchInterest, mask: UInt32)> {
    list.makeIterator()
  }

  /// Equal if the same sources were added in the same order, as by two walks that found the same
  /// path.
  static func == (left: WatchInterests, right: WatchInterests) -> Bool {
    left.list.elementsEqual(right.list) { $0 == $1 }
  }
}
