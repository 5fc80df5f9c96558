internal import Glibc
internal import Threading

/// The attributes that identify a state of a file: its inode, size and times of change.
package struct FileIdentity: Sendable {
  /// The device that holds the inode.
  package var device: UInt64
  /// The inode's number on the device.
  package var inode: UInt64
  package var size: Int64
  /// The time of the last change of the contents, in nanoseconds since 1970.
  package var modified: Int64
  /// The time of the last change of contents or attributes, in nanoseconds since 1970.
  package var changed: Int64

  /// The permissions and the kind of file.
  let mode: mode_t
  let owner: FileOwner

  /// Whether a later change may leave an equal identity. The clock that dates files ticks every few
  /// milliseconds. A file that was changed in the current tick can change again, or be replaced by
  /// one of the same inode, size and time. Some file systems keep only whole seconds, or multiples
  /// of ten milliseconds. Whole seconds may come from another machine's clock, so an identity with
  /// such a time always counts as racy.
  package var isRacy: Bool

  /// After this time, a change gets another timestamp, even with a resolution of two seconds.
  package static let settlingTime = Duration.seconds(2)

  /// - Parameter clock: ``FileClock/now()``, read before the file's attributes; without it the identity
  ///   counts as racy.
  init(_ information: stat, clock: Int64 = .min) {
    device = UInt64(information.st_dev)
    inode = UInt64(information.st_ino)
    size = Int64(information.st_size)
    modified = information.st_mtim.nanoseconds
    changed = information.st_ctim.nanoseconds
    mode = information.st_mode
    owner = FileOwner(user: information.st_uid, group: information.st_gid)
    isRacy = Self.mayRecur(changed, clock)
  }

  /// Returns whether a change at or after a clock time may get this timestamp.
  private static func mayRecur(_ stamp: Int64, _ clock: Int64) -> Bool {
    if stamp % 1_000_000_000 == 0 { return true }
    let resolution: Int64 = stamp % 10_000_000 == 0 ? 10_000_000 : 0
    return stamp + resolution >= clock
  }

  /// Returns whether both are states of the same file.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}

extension FileIdentity: Equatable {
  /// Returns whether both are the same state of the same file.
  package static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.isSameFile(as: right) && left.size == right.size && left.modified == right.modified
      && left.changed == right.changed
  }
}
