internal import CLinuxFile
internal import Glibc

/// The watches of an inotify instance: one for each folder, shared by all files that need it.
struct WatchTable {
  /// The result of adding a watch.
  enum Outcome {
    case watched(Int32)
    /// The folder or file no longer exists.
    case missing
    /// The kernel, or the limit, does not allow a watch.
    case refused
  }

  /// The instance; nil if there is none.
  var inotify: Inotify?
  /// The maximum number of watches.
  var limit = Int.max
  private var folders: [Int32: WatchedFolder] = [:]
  /// The watches that may report more events than needed.
  private var modified: Set<Int32> = []

  /// The number of watches.
  var count: Int { folders.count }

  /// The folder of a watch descriptor.
  subscript(watch: Int32) -> WatchedFolder? { folders[watch] }

  /// Adds a watch on a path, or events to an existing one.
  ///
  /// The next call of ``removeUnneeded()`` undoes what no file has declared an interest in.
  mutating func watch(
    _ path: PathBytes, _ mask: UInt32 = WatchMask.own, isFolder: Bool = true
  ) -> Outcome {
    guard let inotify else { return .refused }
    let kind = isFolder ? UInt32(IN_ONLYDIR) : 0
    guard let watch = inotify.add(mask | kind, at: path) else {
      return [ENOENT, ENOTDIR, ELOOP].contains(errno) ? .missing : .refused
    }
    modified.insert(watch)
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

  /// Replaces the interests of a file.
  mutating func replace(
    _ old: [WatchInterest: UInt32], with new: [WatchInterest: UInt32], for file: Int
  ) {
    guard old != new else { return }
    for (interest, mask) in old {
      folders[interest.watch]?.remove(file, interest.name, mask)
      modified.insert(interest.watch)
    }
    for (interest, mask) in new { folders[interest.watch]?.add(file, interest.name, mask) }
  }

  /// Removes watches, and events of watches, that no file needs.
  mutating func removeUnneeded() {
    for watch in modified {
      guard let folder = folders[watch] else { continue }
      if folder.isUnneeded {
        folders[watch] = nil
        inotify?.remove(watch)
      } else if folder.mask != folder.neededMask {
        reduce(watch, folder)
      }
    }
    modified = []
  }

  /// Reduces the events of a watch to those that are needed.
  private mutating func reduce(_ watch: Int32, _ folder: WatchedFolder) {
    let mask = folder.neededMask
    guard let other = inotify?.set(mask, at: folder.path) else { return }
    if other == watch {
      folders[watch]?.mask = mask
    } else if let existing = folders[other] {
      // Another folder has taken its path, and the call has just overwritten that folder's events.
      // Its move resolves all paths through it again in any case.
      folders[other]?.mask = mask
      _ = inotify?.add(existing.neededMask, at: folder.path)
      folders[other]?.mask |= existing.neededMask
    } else {
      inotify?.remove(other)
    }
  }

  /// Removes a watch that the kernel has removed.
  mutating func forget(_ watch: Int32) {
    folders[watch] = nil
    modified.remove(watch)
  }
}
