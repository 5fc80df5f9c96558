/// The watches of an inotify instance: one for each folder, shared by all files that need it.
struct WatchTable {
  /// The properties of a watch to add.
  struct Note {
    /// The events that the kernel reports.
    var mask: UInt32
    /// Whether other machines can change the folder unnoticed by this kernel.
    var isRemote: Bool
  }

  /// The result of recording a watch that was added.
  enum Outcome {
    case noted(Note)
    /// It may have been removed since, and must be added again.
    case removed
    /// There are too many.
    case refused
  }

  /// The instance; nil if there is none.
  var inotify: Inotify?
  /// The maximum number of watches.
  var limit = Int.max
  /// How often watches, or events of them, were removed.
  private(set) var removals = 0
  /// How often watches, or events of them, were added.
  private(set) var additions = 0
  private var folders: [Int32: WatchedFolder] = [:]
  /// The watches that may report more events than needed.
  private var modified: Set<Int32> = []
  /// The watches that report more events than needed.
  private var excessive: Set<Int32> = []
  /// How many walks need each watch, whether or not a file does.
  private var pins: [Int32: Int] = [:]

  /// The number of watches.
  var count: Int { folders.count }

  /// The folder of a watch descriptor.
  subscript(watch: Int32) -> WatchedFolder? { folders[watch] }

  /// Records a watch that was added to the instance, or extended with events.
  ///
  /// - Parameters:
  ///   - isRemote: Whether the folder is on a network file system, if it is not known yet.
  ///   - pins: Whether to keep the watch until ``unpin(_:)``.
  ///   - removals: The number of removals before it was added.
  mutating func note(
    _ watch: Int32, at path: PathBytes, _ mask: UInt32, isRemote: Bool, pins isPinned: Bool,
    since removals: Int
  ) -> Outcome {
    guard removals == self.removals else { return .removed }
    if folders[watch] == nil {
      guard folders.count < limit else {
        inotify?.remove(watch)
        self.removals += 1
        return .refused
      }
      folders[watch] = WatchedFolder(path: path, mask: 0, isRemote: isRemote)
    }
    if folders[watch]!.mask | mask != folders[watch]!.mask { additions += 1 }
    modified.insert(watch)
    folders[watch]!.path = path
    folders[watch]!.mask |= mask
    if isPinned { pins[watch, default: 0] += 1 }
    return .noted(Note(mask: folders[watch]!.mask, isRemote: folders[watch]!.isRemote))
  }

  /// Releases watches that a walk needed.
  mutating func unpin(_ watches: some Sequence<Int32>) {
    for watch in watches {
      guard let count = pins[watch] else { continue }
      pins[watch] = count > 1 ? count - 1 : nil
    }
  }

  mutating func replace(_ old: WatchInterests, with new: WatchInterests, for file: Int) {
    guard old != new else { return }
    for (interest, mask) in old {
      folders[interest.watch]?.remove(file, interest.name, mask)
      modified.insert(interest.watch)
    }
    for (interest, mask) in new { folders[interest.watch]?.add(file, interest.name, mask) }
  }

  /// Removes watches that no file needs, and records those that report more events than needed.
  mutating func removeUnneeded() {
    for watch in modified where pins[watch] == nil {
      modified.remove(watch)
      guard let folder = folders[watch] else { continue }
      if folder.isUnneeded {
        folders[watch] = nil
        inotify?.remove(watch)
        removals += 1
      } else if folder.mask != folder.neededMask {
        excessive.insert(watch)
      }
    }
  }

  /// Returns a watch that reports more events than needed, and the events that it should report.
  /// The caller reduces it and reports the outcome to ``finishReduction(of:to:found:)``.
  mutating func beginReduction() -> (watch: Int32, path: PathBytes, mask: UInt32)? {
    while let watch = excessive.popFirst() {
      guard let folder = folders[watch], pins[watch] == nil, folder.mask != folder.neededMask
      else { continue }
      removals += 1
      folders[watch]!.mask = folder.neededMask
      return (watch, folder.path, folder.neededMask)
    }
    return nil
  }

  /// Records that a watch's events were reduced.
  ///
  /// - Parameter found: The watch on the folder that the path leads to now; nil for none.
  /// - Returns: The files that must be resolved again, since events they need may be missing.
  mutating func finishReduction(of watch: Int32, to mask: UInt32, found: Int32?) -> Set<Int> {
    removals += 1
    guard let found else { return [] }
    guard let folder = folders[found] else {
      inotify?.remove(found)
      return []
    }
    if folder.mask & ~mask == 0 { return [] }
    // Events were added since, or another folder has taken the path.
    folders[found]!.mask = mask
    return folder.files
  }

  /// Removes a watch that the kernel has removed.
  mutating func forget(_ watch: Int32) {
    folders[watch] = nil
    modified.remove(watch)
    pins[watch] = nil
    removals += 1
  }
}

/// A watch on a folder, or on a single file, with the interests of the files that need it.
struct WatchedFolder {
  /// The path where the folder was last seen.
  var path: PathBytes
  /// The events that the kernel reports.
  var mask: UInt32
  /// Whether other machines can change the folder unnoticed by this kernel.
  let isRemote: Bool
  /// The numbers of the files that need the watch, including events of the folder itself.
  private(set) var files: Set<Int> = []
  /// The numbers of the files that need events of a name, and these events.
  private var names: [PathBytes: [(file: Int, mask: UInt32)]] = [:]
  /// The number of interests in each mask.
  private var masks: [UInt32: Int] = [:]

  init(path: PathBytes, mask: UInt32, isRemote: Bool) {
    (self.path, self.mask, self.isRemote) = (path, mask, isRemote)
  }

  var isUnneeded: Bool { files.isEmpty }

  /// The events that files need.
  var neededMask: UInt32 { masks.keys.reduce(WatchMask.own, |) }

  /// Returns the numbers of the files that an event affects.
  func files(for event: Inotify.Event) -> [Int] {
    guard !event.name.isEmpty else { return Array(files) }
    return names[event.name]?.filter { $0.mask & event.mask != 0 }.map(\.file) ?? []
  }

  mutating func add(_ file: Int, _ name: PathBytes, _ mask: UInt32) {
    masks[mask, default: 0] += 1
    if name.isEmpty {
      files.insert(file)
    } else {
      names[name, default: []].append((file, mask))
    }
  }

  mutating func remove(_ file: Int, _ name: PathBytes, _ mask: UInt32) {
    if let count = masks[mask] { masks[mask] = count > 1 ? count - 1 : nil }
    if name.isEmpty {
      files.remove(file)
      return
    }
    names[name]?.removeAll { $0.file == file }
    if names[name]?.isEmpty == true { names[name] = nil }
  }
}
