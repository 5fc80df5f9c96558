/// The descriptors that one thread of a watcher has open.
///
/// Only the thread waits for them, so only the thread may close them when it ends; or a forked
/// child, which does not have the thread.
final class WatchDescriptors: @unchecked Sendable {
  // Sendable because the descriptors change only while the watcher's lock is held.

  /// The source of events; nil if there is none.
  var inotify: Inotify?
  /// Wakes the thread; nil if it has to wake up by itself.
  var event = EventDescriptor()

  /// The number of open descriptors.
  var descriptorCount: Int { (inotify == nil ? 0 : 1) + (event == nil ? 0 : 1) }

  /// Closes the descriptors.
  func close() {
    inotify = nil
    event = nil
  }
}
