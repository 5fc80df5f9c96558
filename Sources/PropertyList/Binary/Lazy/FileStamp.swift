internal import Glibc

/// The attributes of an open file that reveal changes of its content.
struct FileStamp {
  private let size: Int
  private let modified: timespec
  private let changed: timespec
  private let links: nlink_t

  init(_ information: stat) {
    size = Int(information.st_size)
    modified = information.st_mtim
    changed = information.st_ctim
    links = information.st_nlink
  }

  /// Returns whether the content may have changed between this stamp and a later one.
  ///
  /// The status change time (ctime) counts too, because the modification time can be set back. But
  /// it also moves when another file is renamed over this one, which the link count shows.
  func differs(from later: FileStamp) -> Bool {
    size != later.size || !Self.areEqual(modified, later.modified)
      || (!Self.areEqual(changed, later.changed) && links == later.links)
  }

  private static func areEqual(_ left: timespec, _ right: timespec) -> Bool {
    left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec
  }
}
