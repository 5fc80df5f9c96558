/// A file that is watched for somebody.
struct WatchRecord {
  let path: PathBytes
  let handler: @Sendable () -> Void
  /// What the kernel is to tell of.
  var claims: [WatchInterest: UInt32] = [:]
  /// What was seen when it was last looked at; nil unless it is looked at from time to time.
  var look: Look?
  /// Whether a watch that it needs could not be had.
  var lacksWatches = false

  /// A look at a file that is polled.
  struct Look {
    /// Its state; nil where there was none.
    var identity: FileIdentity?
    /// Whether a later change may leave the state equal, so that one more call has to be made.
    var isProvisional: Bool

    init(at path: PathBytes) {
      identity = path.identity()
      isProvisional = identity?.isRacy == true
    }
  }
}
