internal import CLinuxFile
internal import Glibc
internal import Threading

/// Adds watches for walks along one path, and keeps them from being removed until it is done.
/// System calls on the path are made without the watcher's lock: a file system that does not
/// respond must not block work on other files.
struct WatchAdder {
  /// The result of adding a watch.
  enum Outcome {
    case watched(Int32)
    /// The folder or file no longer exists.
    case missing
    /// The kernel, or the limit, does not allow a watch.
    case refused
  }

  private let watcher: FileWatcher
  private let session: WatchDescriptors
  private let inotify: Inotify?
  /// The watches that were added, with their notes.
  private(set) var watches: [Int32: WatchTable.Note] = [:]

  init(_ watcher: FileWatcher, _ session: WatchDescriptors) {
    (self.watcher, self.session) = (watcher, session)
    inotify = watcher.withSession(session, else: nil) { _ in session.inotify }
  }

  private static func fileSystem(of path: PathBytes) -> UInt {
    path.withCString { path in
      UInt(ForkGate.shared.allowingForks { larder_file_system(path) })
    }
  }

  /// Adds a watch on a path, or events to an existing one.
  mutating func watch(
    _ path: PathBytes, _ mask: UInt32 = WatchMask.own, isFolder: Bool = true
  ) -> Outcome {
    guard let inotify else { return .refused }
    let kind = isFolder ? UInt32(IN_ONLYDIR) : 0
    while true {
      let removals = watcher.withSession(session, else: nil) { $0.watches.removals }
      guard let removals else { return .refused }
      guard let watch = inotify.add(mask | kind, at: path) else {
        return [ENOENT, ENOTDIR, ELOOP].contains(errno) ? .missing : .refused
      }
      let isKnown = watcher.withSession(session, else: true) { $0.watches[watch] != nil }
      let isRemote =
        !isKnown
        && NetworkFileSystem.contains(type: Self.fileSystem(of: path))
      let isPinned = watches[watch] != nil
      let noted = watcher.withSession(session, else: .refused) { state in
        state.watches.note(
          watch, at: path, mask, isRemote: isRemote, pins: !isPinned, since: removals)
      }
      switch noted {
      case .noted(let note):
        watches[watch] = note
        return .watched(watch)
      case .removed: continue
      case .refused: return .refused
      }
    }
  }
}
