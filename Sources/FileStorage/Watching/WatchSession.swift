/// What one thread of a watcher has open.
///
/// It is closed by the thread when it ends, or in a child, where the thread is not. Only the thread waits
/// for the descriptors, so that nobody else may close them.
final class WatchSession: @unchecked Sendable {
  // Sendable because the descriptors are changed only while the watcher's lock is held.

  /// Tells of changes; nil where the kernel does not.
  var inotify: Inotify?
  /// Wakes the thread; nil where it has to wake by itself.
  var event = EventDescriptor()

  /// How many descriptors are open.
  var descriptorCount: Int { (inotify == nil ? 0 : 1) + (event == nil ? 0 : 1) }

  /// Closes them.
  func close() {
    inotify = nil
    event = nil
  }
}
