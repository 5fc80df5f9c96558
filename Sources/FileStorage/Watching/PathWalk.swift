internal import CLinuxFile
internal import Glibc
internal import Threading

/// The result of resolving a path with watches on everything that can make it lead elsewhere. Each
/// symbolic link can be changed, so the folder that holds it is watched for its name. If two
/// successive walks are equal, every change since the second one began is reported, because its
/// watches already existed.
struct PathWalk: Equatable {
  /// A folder on the path, free of symbolic links.
  private struct Folder {
    var path: PathBytes
    var name: PathBytes
    var device: dev_t
    /// The watch on it; nil if it could not be added.
    var watch: Int32?
  }

  /// The events that are needed.
  private(set) var interests = WatchInterests()
  /// Whether the kernel may not report all changes.
  private(set) var needsPolling = false
  /// Whether a watch is missing that may be possible later.
  private(set) var lacksWatches = false
  /// Whether something on the way changed during the walk.
  private(set) var isInterrupted = false

  /// The folders entered so far, beginning with the root.
  private var folders: [Folder] = []

  static func == (left: PathWalk, right: PathWalk) -> Bool {
    left.interests == right.interests && left.needsPolling == right.needsPolling
      && left.lacksWatches == right.lacksWatches
  }

  /// Returns whether an event may change the file, or where the path leads.
  func isConcerned(by event: Inotify.Event) -> Bool {
    if event.name.isEmpty { return interests.contains(event.watch) }
    let mask = interests[WatchInterest(watch: event.watch, name: event.name)]
    return mask & event.mask != 0
  }

  /// Walks along a path, adding watches.
  init(_ path: PathBytes, adding watches: inout WatchAdder) {
    let root = PathBytes()
    enter(root, named: [], on: root.linkInformation()?.st_dev ?? 0, &watches)
    var resolver = PathResolver(path)
    while !isInterrupted, let step = resolver.next() {
      folders.removeLast(folders.count - 1 - step.depth)
      guard let information = step.information else {
        watchMissing(step, &watches)
        return
      }
      switch information.st_mode & S_IFMT {
      case S_IFLNK: watch(step.name, for: WatchMask.replacement, &watches)
      case S_IFDIR where !step.isLast:
        enter(step.path, named: step.name, on: information.st_dev, &watches)
      default:
        watchEnd(step, information, &watches)
        return
      }
    }
    if resolver.failure == .linkDisappeared { isInterrupted = true }
  }

  /// Watches a folder on the path itself, and continues in it.
  private mutating func enter(
    _ path: PathBytes, named name: PathBytes, on device: dev_t, _ watches: inout WatchAdder
  ) {
    let watch = noteOutcome(watches.watch(path))
    if let watch {
      interests[WatchInterest(watch: watch, name: [])] |= WatchMask.own
      if watches.watches[watch]?.isRemote == true { needsPolling = true }
    }
    folders.append(Folder(path: path, name: name, device: device, watch: watch))
  }

  /// Watches for the appearance of a missing name, where the walk ends.
  private mutating func watchMissing(_ step: PathResolver.Step, _ watches: inout WatchAdder) {
    switch step.code {
    case ENOENT, ENOTDIR:
      watch(step.name, for: step.isLast ? WatchMask.file : WatchMask.appearance, &watches)
      watchRemovalOfFolder(&watches)
    default:
      watch(step.name, for: WatchMask.file, &watches)
      needsPolling = true
    }
  }

  /// Watches a file on the way that is neither a link nor a folder, where the walk ends.
  private mutating func watchEnd(
    _ step: PathResolver.Step, _ information: stat, _ watches: inout WatchAdder
  ) {
    watch(step.name, for: step.isLast ? WatchMask.file : WatchMask.replacement, &watches)
    if step.isLast { watchContent(of: step.path, information, &watches) }
  }

  /// Watches a name in the last folder, or in one before it.
  private mutating func watch(
    _ name: PathBytes, for mask: UInt32, back: Int = 0, _ watches: inout WatchAdder
  ) {
    let folder = folders[folders.count - 1 - back]
    guard let watch = folder.watch else { return }
    if let watched = watches.watches[watch], watched.mask & mask != mask {
      let other = noteOutcome(watches.watch(folder.path, mask))
      if other != watch { isInterrupted = true }
    }
    interests[WatchInterest(watch: watch, name: name)] |= mask
  }

  /// Watches the last folder for its own removal. If the file does not exist, no removal of the
  /// file announces it.
  private mutating func watchRemovalOfFolder(_ watches: inout WatchAdder) {
    guard folders.count > 1 else { return }
    watch(folders[folders.count - 1].name, for: WatchMask.removal, back: 1, &watches)
  }

  /// Watches a file itself if it can be changed through another folder: it has several hard links,
  /// or is mounted by itself.
  private mutating func watchContent(
    of path: PathBytes, _ information: stat, _ watches: inout WatchAdder
  ) {
    guard information.st_mode & S_IFMT == S_IFREG,
      information.st_nlink > 1 || information.st_dev != folders[folders.count - 1].device
        || Self.isMountPoint(path),
      let watch = noteOutcome(
        watches.watch(path, WatchMask.content | WatchMask.own, isFolder: false))
    else { return }
    interests[WatchInterest(watch: watch, name: [])] |= WatchMask.content
    if watches.watches[watch]?.isRemote == true { needsPolling = true }
  }

  private static func isMountPoint(_ path: PathBytes) -> Bool {
    path.withCString { path in
      ForkGate.shared.allowingForks { larder_is_mount_point(path) } != 0
    }
  }

  /// Records how an attempt to watch something ended; returns the watch, if it was added.
  private mutating func noteOutcome(_ outcome: WatchAdder.Outcome) -> Int32? {
    switch outcome {
    case .watched(let watch): return watch
    case .missing: isInterrupted = true
    case .refused:
      lacksWatches = true
      needsPolling = true
    }
    return nil
  }
}
