internal import Glibc

/// By what it shows that the content of an open file has changed.
struct FileState {
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

  /// Whether the content may be another than in a later state.
  ///
  /// The time of the last change counts as well, since that of the last modification can be put back. But
  /// it also moves when the file loses its name because another one is put in its place.
  func differs(from later: FileState) -> Bool {
    size != later.size || !Self.areEqual(modified, later.modified)
      || (!Self.areEqual(changed, later.changed) && links == later.links)
  }

  private static func areEqual(_ left: timespec, _ right: timespec) -> Bool {
    left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec
  }
}
