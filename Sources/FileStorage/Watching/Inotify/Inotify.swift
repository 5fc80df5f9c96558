internal import Glibc

/// An instance of the kernel's notification of changes to files.
///
/// Whoever closes it, by its last reference, ends all its watches.
final class Inotify: Sendable {
  /// What the kernel tells of a watched folder, or of a name in it.
  struct Event {
    /// The watch; -1 when events were lost.
    var watch: Int32
    /// What has happened.
    var mask: UInt32
    /// The name in the folder; empty for what is watched itself.
    var name: PathBytes
  }

  private let descriptor: Descriptor

  /// An instance; nil when there are too many.
  init?() {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard let descriptor = Descriptor(taking: number) else { return nil }
    self.descriptor = descriptor
  }

  /// The number of the descriptor, which is readable when there are events.
  var number: Int32 { descriptor.number }

  /// Adds to what is watched of what a path names, a symbolic link not being followed.
  ///
  /// - Returns: The watch, which is the same for all paths of one folder; nil, with `errno` telling why,
  ///   where it cannot be had.
  func add(_ mask: UInt32, at path: PathBytes) -> Int32? {
    watch(path, mask | UInt32(IN_MASK_ADD))
  }

  /// Sets what is watched of what a path names.
  func set(_ mask: UInt32, at path: PathBytes) -> Int32? {
    watch(path, mask)
  }

  private func watch(_ path: PathBytes, _ mask: UInt32) -> Int32? {
    let watch = path.withCString {
      inotify_add_watch(number, $0, mask | UInt32(IN_DONT_FOLLOW))
    }
    return watch >= 0 ? watch : nil
  }

  /// Ends a watch, which may have ended by itself.
  func remove(_ watch: Int32) {
    inotify_rm_watch(number, watch)
  }

  /// Takes events that there are, without waiting for others.
  ///
  /// - Parameter buffer: Room for some of them, aligned like `inotify_event`.
  /// - Returns: Whether there were any.
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
