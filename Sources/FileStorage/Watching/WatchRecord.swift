/// A watched file, as the watcher keeps it.
struct WatchRecord {
  let path: PathBytes
  let handler: @Sendable () -> Void
  /// Called when the file begins to be polled.
  let pollingHandler: @Sendable (FileWatcher.PollingReason) -> Void
  /// The events that the path needs.
  var interests = WatchInterests()
  /// The result of the last poll; nil for a file that is not polled.
  var snapshot: Snapshot?
  /// Whether a watch that the path needs could not be added.
  var lacksWatches = false

  /// The state of a polled file.
  struct Snapshot {
    /// The identity of the file; nil if there is none.
    var identity: FileIdentity?
    /// Whether a later change may leave the identity equal, so that the handler must be called once
    /// more.
    var isRacy: Bool

    init(of path: PathBytes) {
      identity = path.identity()
      isRacy = identity?.isRacy == true
    }
  }
}
