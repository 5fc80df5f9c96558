internal import CLinuxFile
internal import Glibc
internal import Threading

/// Adds watches for walks along one path, and keeps them from being removed until it is done.
/// System calls on the path are made without the watcher's lock: a file system that does not answer
/// must not keep others from their files.
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
  /// The watches that were added, with what is known of them.
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

/// File systems whose files can change unnoticed by this machine's kernel: network file systems,
/// and those that a program or the host of a virtual machine provides.
enum NetworkFileSystem {
  /// The values of `f_type` in `statfs` (linux/magic.h, and the sources of the file systems).
  private static let types: Set<UInt32> = [
    0x6969,  // NFS
    0x517B,  // SMB
    0xFE53_4D42,  // SMB 2
    0xFF53_4D42,  // CIFS
    0x6573_5546,  // FUSE
    0x0102_1997,  // 9P
    0x5346_414F,  // AFS
    0x6B41_4653,  // AFS of the kernel
    0x00C3_6400,  // Ceph
    0x7375_7245,  // Coda
    0x564C,  // NCP
    0x0BD0_0BD0,  // Lustre
    0x4750_4653,  // GPFS
    0x1983_0326,  // BeeGFS
    0x2003_0528,  // OrangeFS
    0xAAD7_AAEA,  // PanFS
    0xBEEF_DEAD,  // StorNext
    0x0116_1970,  // GFS 2
    0x7461_636F,  // OCFS 2
    0x786F_4256,  // VirtualBox's shared folders
    0xBACB_ACBC,  // VMware's shared folders
    0x7C7C_6673,  // Parallels' shared folders
  ]

  /// Returns whether a type is one of these.
  static func contains(type: UInt) -> Bool {
    // 32-bit systems sign-extend some types.
    types.contains(UInt32(truncatingIfNeeded: type))
  }
}
