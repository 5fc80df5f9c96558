internal import FileStorage

/// The watch over the files of all domains in the process.
enum FileWatching {
  private static let watcher: FileWatcher = {
    // Before a fork the lock is taken before that of the watcher, as by who holds both.
    StateLock.makeReady()
    return FileWatcher(options: options(for: PreferencesStore.runtimeConfiguration))
  }()

  /// Sets up again what a child process has not got from its parent.
  static func restartIfForked() {
    watcher.restartIfForked()
  }

  /// Has the closure called, on the watcher's thread, when a file may have changed.
  static func watch(_ path: String, _ handler: @escaping @Sendable () -> Void) -> WatchedFile {
    watcher.watch(path, handler)
  }

  /// Goes on as the process is set up now.
  static func apply(_ background: PreferencesStore.RuntimeConfiguration) {
    watcher.update(options: options(for: background))
    if background.watchesFiles { watcher.start() } else { watcher.stop() }
  }

  private static func options(
    for background: PreferencesStore.RuntimeConfiguration
  ) -> FileWatcher.Options {
    var options = FileWatcher.Options()
    options.pollingInterval = background.pollingInterval
    return options
  }
}
