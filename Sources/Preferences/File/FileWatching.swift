internal import FileStorage

/// The watcher of the files of all domains in the process.
enum FileWatching {
  private static let watcher = FileWatcher(options: options(for: .current))

  /// Restarts watching in a child process, which inherits neither threads nor watches, and where
  /// the system had no more threads.
  static func restartIfNeeded() {
    watcher.restartIfNeeded()
  }

  /// Watches a file.
  ///
  /// - Parameter handler: Called on the watcher's thread when the file may have changed.
  static func watch(_ path: String, _ handler: @escaping @Sendable () -> Void) -> WatchedFile {
    watcher.watch(path, handler)
  }

  /// Applies a new configuration.
  static func apply(_ configuration: RuntimeConfiguration) {
    watcher.update(options: options(for: configuration))
    if configuration.watchesFiles { watcher.start() } else { watcher.stop() }
  }

  private static func options(for configuration: RuntimeConfiguration) -> FileWatcher.Options {
    var options = FileWatcher.Options()
    options.pollingInterval = configuration.pollingInterval
    return options
  }
}
