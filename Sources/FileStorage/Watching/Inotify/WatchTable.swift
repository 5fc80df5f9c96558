internal import CLinuxFile
internal import Glibc

/// All watches of an instance of inotify: one for each folder, whoever needs it.
struct WatchTable {
  /// How an attempt to watch something ended.
  enum Attempt {
    case watched(Int32)
    /// There is no such folder any more.
    case gone
    /// It is there but cannot be watched.
    case refused
  }

  /// The instance; nil when there is none to be had.
  var inotify: Inotify?
  /// How many watches there may be.
  var limit = Int.max
  private var folders: [Int32: WatchedFolder] = [:]
  /// Those that may have more watched than is needed.
  private var touched: Set<Int32> = []

  /// The number of watches.
  var count: Int { folders.count }

  /// The watched folder of a watch.
  subscript(watch: Int32) -> WatchedFolder? { folders[watch] }

  /// Has at least this watched of what a path names, for as long as a claim is made on it before the
  /// next call of `settle`.
  mutating func watch(
    _ path: PathBytes, _ mask: UInt32 = WatchMask.own, isFolder: Bool = true
  ) -> Attempt {
    guard let inotify else { return .refused }
    let kind = isFolder ? UInt32(IN_ONLYDIR) : 0
    guard let watch = inotify.add(mask | kind, at: path) else {
      return [ENOENT, ENOTDIR, ELOOP].contains(errno) ? .gone : .refused
    }
    touched.insert(watch)
    if folders[watch] != nil {
      folders[watch]?.path = path
      folders[watch]?.mask |= mask
      return .watched(watch)
    }
    guard folders.count < limit else {
      inotify.remove(watch)
      return .refused
    }
    let type = path.withCString { larder_file_system($0) }
    folders[watch] = WatchedFolder(
      path: path, mask: mask, isRemote: NetworkFileSystem.contains(type: UInt(type)))
    return .watched(watch)
  }

  /// Makes claims of a file in the place of others.
  mutating func replace(
    _ old: [WatchInterest: UInt32], with new: [WatchInterest: UInt32], for file: Int
  ) {
    guard old != new else { return }
    for (claim, mask) in old {
      folders[claim.watch]?.remove(file, claim.name, mask)
      touched.insert(claim.watch)
    }
    for (claim, mask) in new { folders[claim.watch]?.add(file, claim.name, mask) }
  }

  /// Ends watches that nobody needs, and has no more watched by others than is needed.
  mutating func settle() {
    for watch in touched {
      guard let folder = folders[watch] else { continue }
      if folder.isIdle {
        folders[watch] = nil
        inotify?.remove(watch)
      } else if folder.mask != folder.neededMask {
        reduce(watch, folder)
      }
    }
    touched = []
  }

  /// Has only that watched of a folder which is needed.
  private mutating func reduce(_ watch: Int32, _ folder: WatchedFolder) {
    let mask = folder.neededMask
    guard let other = inotify?.set(mask, at: folder.path) else { return }
    if other == watch {
      folders[watch]?.mask = mask
    } else if let existing = folders[other] {
      // Another folder is there now, which has just lost what is watched of it but this. It has been
      // moved, so that all that comes through it is looked at again in any case.
      folders[other]?.mask = mask
      _ = inotify?.add(existing.neededMask, at: folder.path)
      folders[other]?.mask |= existing.neededMask
    } else {
      inotify?.remove(other)
    }
  }

  /// Forgets a watch that has ended by itself.
  mutating func forget(_ watch: Int32) {
    folders[watch] = nil
    touched.remove(watch)
  }
}
