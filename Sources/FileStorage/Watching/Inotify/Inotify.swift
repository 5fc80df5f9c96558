internal import Glibc
internal import Threading

/// An inotify(7) instance. Its watches end when the last reference closes it.
final class Inotify: Sendable {
  /// An event of a watched folder, or of a name in it.
  struct Event {
    /// The watch descriptor; -1 if events were lost.
    var watch: Int32
    /// The `IN_*` bits of the event.
    var mask: UInt32
    /// The name in the folder; empty for the folder itself.
    var name: PathBytes

    /// The kernel's queue was full and events were lost, so any file may have changed.
    var isOverflow: Bool { mask & WatchMask.overflow != 0 }

    /// Whether paths through the folder may lead elsewhere.
    var changesPaths: Bool { name.isEmpty || mask & WatchMask.redirection != 0 }
  }

  private let descriptor: Descriptor

  /// Creates an instance; nil if there are too many.
  init?() {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard let descriptor = Descriptor(taking: number) else { return nil }
    self.descriptor = descriptor
  }

  /// The number of the descriptor, which is readable when there are events.
  var number: Int32 { descriptor.number }

  /// Adds events to the watch on a path, without following a symbolic link.
  ///
  /// - Returns: The watch descriptor, which is the same for all paths of one folder; nil, with
  ///   `errno` set, on failure.
  func add(_ mask: UInt32, at path: PathBytes) -> Int32? { watch(path, mask | UInt32(IN_MASK_ADD)) }

  /// Replaces the events of the watch on a path.
  func set(_ mask: UInt32, at path: PathBytes) -> Int32? { watch(path, mask) }

  private func watch(_ path: PathBytes, _ mask: UInt32) -> Int32? {
    let watch = path.withCString {
      path in
      ForkGate.shared.allowingForks {
        inotify_add_watch(number, path, mask | UInt32(IN_DONT_FOLLOW))
      }
    }
    return watch >= 0 ? watch : nil
  }

  /// Removes a watch, unless the kernel has done so already.
  func remove(_ watch: Int32) { inotify_rm_watch(number, watch) }

  /// Reads pending events into space aligned for `inotify_event`, without waiting; false for none.
  func read(into buffer: UnsafeMutableRawBufferPointer, _ body: (Event) -> Void) -> Bool {
    let count = Glibc.read(number, buffer.baseAddress, buffer.count)
    guard count > 0 else { return false }
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= count {
      let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let name = buffer[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
      body(Event(watch: event.wd, mask: event.mask, name: PathBytes(name)))
      offset += header + Int(event.len)
    }
    return true
  }
}

/// Sets of inotify events, by the role that a folder or name plays for a path.
enum WatchMask {
  /// A folder on the path is itself moved or removed.
  static let own = UInt32(IN_MOVE_SELF | IN_DELETE_SELF)
  /// A missing name appears.
  static let appearance = UInt32(IN_CREATE | IN_MOVED_TO)
  /// A name, such as a symbolic link's, refers to something else.
  static let replacement = appearance | UInt32(IN_MOVED_FROM | IN_DELETE)
  /// A folder is removed or replaced, as its parent reports it. A folder that is held open reports
  /// its own removal only when it is closed.
  static let removal = UInt32(IN_DELETE | IN_MOVED_TO)
  /// A file changes in place.
  static let content = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)
  /// Anything happens to a file.
  static let file = replacement | content
  /// After these events a path may lead elsewhere.
  static let redirection = own | replacement | UInt32(IN_UNMOUNT)
  /// Events were lost.
  static let overflow = UInt32(IN_Q_OVERFLOW)
  /// The kernel has removed the watch.
  static let removed = UInt32(IN_IGNORED)
}
