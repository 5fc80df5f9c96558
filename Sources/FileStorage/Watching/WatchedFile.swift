/// A file that is watched until this is canceled or released.
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

  /// Watches the file no longer. No call of the handler is decided on after this; one that has been may
  /// still be made, and is not waited for.
  package func cancel() {
    watcher.cancel(number)
  }

  /// Has the handler called once more after some time, whether the file changes or not.
  package func scheduleCall(after delay: Duration) {
    watcher.scheduleCall(number, after: delay)
  }
}
