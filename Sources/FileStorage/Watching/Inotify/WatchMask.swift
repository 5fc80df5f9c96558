internal import Glibc

/// What the kernel is asked to tell of a folder, by the part that it plays for a path.
enum WatchMask {
  /// That the folder itself is moved or removed: of every one on the way.
  static let own = UInt32(IN_MOVE_SELF | IN_DELETE_SELF)
  /// That a name appears which is not there.
  static let appearance = UInt32(IN_CREATE | IN_MOVED_TO)
  /// That a name stands for something else than before, as of a symbolic link.
  static let replacement = appearance | UInt32(IN_MOVED_FROM | IN_DELETE)
  /// That a folder goes which somebody holds open: it tells so itself only after that.
  static let removal = UInt32(IN_DELETE | IN_MOVED_TO)
  /// That a file changes in place.
  static let content = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)
  /// Whatever happens to a file.
  static let file = replacement | content
  /// After these a path may lead elsewhere.
  static let turn = own | replacement | UInt32(IN_UNMOUNT)
  /// Events were lost.
  static let overflow = UInt32(IN_Q_OVERFLOW)
  /// The watch has ended by itself.
  static let ended = UInt32(IN_IGNORED)
}
