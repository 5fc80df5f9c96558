internal import Glibc
internal import Synchronization
internal import Threading

/// What the domains of an engine need from it: time, the disk, threads, the watcher, and the handlers of events.
///
/// It does not know the domains; ``PreferencesEngine`` does.
final class Runtime: Sendable {
  struct State {
    var configuration = RuntimeConfiguration()
    /// Domains with unsaved changes, and calls with a deadline.
    var alarms = Alarms()
    var timer = Timer.none
    /// After the engine has ended, how long changes are still saved, as they are made.
    var end: Moment?
  }

  let state = Guarded(State())
  let clock: EngineClock
  let disk: any Disk
  /// Whether the program advances the clock.
  let isManual: Bool
  let watching: FileWatching
  let events: EventHandlers
  let deliveries: DeliveryQueue
  /// Saves domains in the background and at the end; nil without threads.
  let savers: WorkerPool?
  /// Makes the calls of tasks, which must not occupy the threads that save.
  let callers: WorkerPool?
  let commits = ActivityCounter()
  /// Reads of new and changed contents.
  let reads = ActivityCounter()
  /// The number of file-backed domains in use.
  let fileCount = Atomic(0)

  init(_ kind: EngineClock.Kind, disk: any Disk) {
    clock = EngineClock(kind)
    self.disk = disk
    isManual = kind == .manual
    deliveries = DeliveryQueue(startsThread: kind == .system)
    switch kind {
    case .system:
      events = .process
      let width = Self.saverCount
      savers = WorkerPool("larder-commit", width: width, limit: width + 32, patience: .seconds(1))
      callers = WorkerPool("larder-async", width: 8, limit: 64, patience: .seconds(1))
      watching = FileWatching()
    case .manual:
      events = EventHandlers()
      savers = nil
      callers = nil
      watching = FileWatching(polling: clock)
    }
  }

  /// The number of domains saved at once: enough for the disk to flush several files together, but
  /// at up to five descriptors each within the limit of the process.
  private static let saverCount = min(16, max(2, sysconf(Int32(_SC_OPEN_MAX)) / 8))

  /// Wakes the objects whose alarms are due, and returns whether there were any.
  @discardableResult
  func ringAlarms() -> Bool {
    let now = clock.now
    let due = StateLock.change { $0[state].alarms.takeDue(at: now) }
    for alarm in due { alarm.ring() }
    return !due.isEmpty
  }
}
