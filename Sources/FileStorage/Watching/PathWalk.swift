internal import Glibc

/// Where a path leads, step by step, with watches on all that can make it lead elsewhere.
///
/// Symbolic links are followed here and not by the kernel, since each of them can be changed: the folder
/// that it lies in is watched for its name. Two walks that are equal prove that whatever happens after
/// the second began is told: the watches were there by then.
struct PathWalk: Equatable {
  /// How many symbolic links are followed, as by the kernel.
  private static let linkLimit = 40

  /// A folder on the way.
  private struct Step {
    var path: PathBytes
    var name: PathBytes
    var device: dev_t
    var watch: Int32?
  }

  /// What needs to be told of.
  private(set) var claims: [WatchInterest: UInt32] = [:]
  /// Whether the kernel cannot be relied upon to tell of all changes.
  private(set) var needsPolling = false
  /// Whether a watch could not be had that might be had later.
  private(set) var lacksWatches = false
  /// Whether something changed on the way.
  private(set) var isInterrupted = false

  /// The folders to where the walk has come, none of them a symbolic link.
  private var way: [Step] = []

  static func == (left: PathWalk, right: PathWalk) -> Bool {
    left.claims == right.claims && left.needsPolling == right.needsPolling
      && left.lacksWatches == right.lacksWatches
  }

  /// Walks along a path.
  init(_ path: PathBytes, watching folders: inout WatchTable) {
    var pending = Array(path.names.reversed())
    var links = 0
    let root = PathBytes()
    enter(root, named: [], on: root.linkInformation()?.st_dev ?? 0, &folders)
    while !isInterrupted, let name = pending.popLast() {
      if name == Array("..".utf8) {
        if way.count > 1 { way.removeLast() }
        continue
      }
      let isLast = pending.isEmpty
      let path = way[way.count - 1].path.appending(name)
      guard let information = path.linkInformation() else {
        switch errno {
        case ENOENT, ENOTDIR:
          claim(name, isLast ? WatchMask.file : WatchMask.appearance, &folders)
          claimRemoval(&folders)
        default:
          claim(name, WatchMask.file, &folders)
          needsPolling = true
        }
        return
      }
      switch information.st_mode & S_IFMT {
      case S_IFLNK:
        claim(name, WatchMask.replacement, &folders)
        links += 1
        guard links <= Self.linkLimit else { return }
        guard let target = path.linkTarget() else {
          isInterrupted = true
          return
        }
        if target.first == UInt8(ascii: "/") { way.removeLast(way.count - 1) }
        pending += target.names.reversed()
      case S_IFDIR where !isLast:
        enter(path, named: name, on: information.st_dev, &folders)
      default:
        claim(name, isLast ? WatchMask.file : WatchMask.replacement, &folders)
        if isLast { claimContent(of: path, information, &folders) }
        return
      }
    }
  }

  /// Goes on into a folder.
  private mutating func enter(
    _ path: PathBytes, named name: PathBytes, on device: dev_t, _ folders: inout WatchTable
  ) {
    let watch = accept(folders.watch(path))
    if let watch {
      claims[WatchInterest(watch: watch, name: []), default: 0] |= WatchMask.own
      if folders[watch]?.isRemote == true { needsPolling = true }
    }
    way.append(Step(path: path, name: name, device: device, watch: watch))
  }

  /// Has a name watched in the folder to where the walk has come, or in one before it.
  private mutating func claim(
    _ name: PathBytes, _ mask: UInt32, back: Int = 0, _ folders: inout WatchTable
  ) {
    let folder = way[way.count - 1 - back]
    guard let watch = folder.watch else { return }
    if let watched = folders[watch], watched.mask & mask != mask {
      let other = accept(folders.watch(folder.path, mask))
      if other != watch { isInterrupted = true }
    }
    claims[WatchInterest(watch: watch, name: name), default: 0] |= mask
  }

  /// Has the folder watched for its own removal where nothing is in it yet whose removal comes before.
  private mutating func claimRemoval(_ folders: inout WatchTable) {
    guard way.count > 1 else { return }
    claim(way[way.count - 1].name, WatchMask.removal, back: 1, &folders)
  }

  /// Has a file watched itself which can be changed through another folder: it has a second name, or is
  /// mounted where it is.
  private mutating func claimContent(
    of path: PathBytes, _ information: stat, _ folders: inout WatchTable
  ) {
    guard information.st_mode & S_IFMT == S_IFREG,
      information.st_nlink > 1 || information.st_dev != way[way.count - 1].device,
      let watch = accept(folders.watch(path, WatchMask.content | WatchMask.own, isFolder: false))
    else { return }
    claims[WatchInterest(watch: watch, name: []), default: 0] |= WatchMask.content
    if folders[watch]?.isRemote == true { needsPolling = true }
  }

  /// Takes note of how an attempt to watch something ended.
  private mutating func accept(_ attempt: WatchTable.Attempt) -> Int32? {
    switch attempt {
    case .watched(let watch): return watch
    case .gone: isInterrupted = true
    case .refused:
      lacksWatches = true
      needsPolling = true
    }
    return nil
  }
}
