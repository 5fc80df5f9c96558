internal import Glibc

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

  /// The events of a source; none if it is not in the list. A source that is not there is added.
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

  /// Equal if the same sources were added in the same order, as by two walks along one way.
  static func == (left: WatchInterests, right: WatchInterests) -> Bool {
    left.list.elementsEqual(right.list) { $0 == $1 }
  }
}

/// Sets of inotify events, by the role that a folder or name plays for a path.
enum WatchMask {
  /// A folder on the path is itself moved or removed.
  static let own = UInt32(IN_MOVE_SELF | IN_DELETE_SELF)
  /// A missing name appears.
  static let appearance = UInt32(IN_CREATE | IN_MOVED_TO)
  /// A name, such as that of a symbolic link, stands for something else.
  static let replacement = appearance | UInt32(IN_MOVED_FROM | IN_DELETE)
  /// A folder is removed; one that is held open reports its own removal only when it is closed.
  static let removal = UInt32(IN_DELETE | IN_MOVED_TO)
  /// A file changes in place.
  static let content = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)
  /// Anything happens to a file.
  static let file = replacement | content
  /// Events after which a path may lead elsewhere.
  static let redirection = own | replacement | UInt32(IN_UNMOUNT)
  /// Events were lost.
  static let overflow = UInt32(IN_Q_OVERFLOW)
  /// The kernel has removed the watch.
  static let removed = UInt32(IN_IGNORED)
}
