internal import Glibc
internal import Threading

/// What tells one state of a file from another: which file it is, and when and to what size it was
/// last changed.
package struct FileIdentity: Sendable {
  /// The device and inode: which file it is.
  package var device: UInt64
  /// The inode's number on the device.
  package var inode: UInt64
  /// The size in bytes.
  package var size: Int64
  /// When the content last changed, in nanoseconds since 1970.
  package var modified: Int64
  /// When the content or the attributes last changed, in nanoseconds since 1970.
  package var changed: Int64

  /// Whether a later change may leave an equal identity.
  ///
  /// The clock that dates files ticks every few milliseconds. A file that was changed in the current
  /// tick can change again, or be replaced by one of the same inode, size and time.
  package var isRacy: Bool

  /// - Parameter clock: ``clock()``, read before the file's attributes; without it the identity counts
  ///   as racy.
  init(_ information: stat, clock: Int64 = .min) {
    device = UInt64(information.st_dev)
    inode = UInt64(information.st_ino)
    size = Int64(information.st_size)
    modified = Self.nanoseconds(information.st_mtim)
    changed = Self.nanoseconds(information.st_ctim)
    isRacy = changed >= clock
  }

  /// Whether both are the same file, in whatever state.
  func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }

  /// The time that a file would get that is changed now.
  static func clock() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension FileIdentity: Equatable {
  /// Whether both are the same state of the same file.
  package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.isSameFile(as: right) && left.size == right.size && left.modified == right.modified
      && left.changed == right.changed
  }
}
