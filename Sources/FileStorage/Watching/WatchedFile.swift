/// A file that is watched until this object is canceled or released.
package final class WatchedFile: Sendable {
  private let watcher: FileWatcher
  private let number: Int

  init(watcher: FileWatcher, number: Int) {
    self.watcher = watcher
    self.number = number
  }

  deinit {
    cancel()
  }

  /// Stops watching the file. A call of the handler that is in progress, or about to begin, is not
  /// waited for.
  package func cancel() {
    watcher.cancel(number)
  }

  /// Schedules one more call of the handler, whether or not the file changes.
  package func scheduleCall(after delay: Duration) {
    watcher.scheduleCall(number, after: delay)
  }
}
