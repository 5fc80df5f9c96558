internal import CLinuxFile
internal import Glibc

/// The descriptors that one thread of a watcher has open. Only the thread waits for them, so only
/// the thread may close them, when it ends. A forked child, which does not have the thread, may
/// close them too.
///
/// It is `@unchecked Sendable` because it changes only while the watcher's lock is held.
final class WatchDescriptors: @unchecked Sendable {
  /// The source of events; nil if there is none.
  var inotify: Inotify?
  /// Wakes the thread; nil if it must wake up by itself.
  var event = EventDescriptor()

  var descriptorCount: Int { (inotify == nil ? 0 : 1) + (event == nil ? 0 : 1) }

  func close() {
    inotify = nil
    event = nil
  }
}

/// An event that a thread can wait for with poll(2).
final class EventDescriptor: Sendable {
  private let descriptor: Descriptor

  /// Creates an event that is not signaled; nil if the process has too many open files.
  init?() {
    guard let descriptor = Descriptor(taking: larder_event_descriptor()) else { return nil }
    self.descriptor = descriptor
  }

  /// The number of the descriptor, which is readable while the event is signaled.
  var number: Int32 { descriptor.number }

  func signal() {
    var one: UInt64 = 1
    write(number, &one, MemoryLayout<UInt64>.size)
  }

  func reset() {
    var count: UInt64 = 0
    _ = read(number, &count, MemoryLayout<UInt64>.size)
  }
}
