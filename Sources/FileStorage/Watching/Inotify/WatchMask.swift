internal import Glibc

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
