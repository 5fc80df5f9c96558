internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import Threading

/// What stores share: the domains in use and the work in the background.
///
/// Stores use ``process`` unless ``PreferencesStore/Options/engine`` names another engine. Two
/// engines with stores of the same file interact like two processes.
///
/// For tests, ``manual()`` creates an engine with a clock that the test advances, its own folder
/// and no thread. Delayed work can then be tested without waiting:
///
/// ```swift
/// let engine = PreferencesEngine.manual()
/// defer { engine.shutDown() }
/// let store = try PreferencesStore(domain: "org.example.editor", options: .init(engine: engine))
/// store.set("dark", forKey: "theme")
/// engine.advance(by: .milliseconds(50))
/// #expect(engine.statistics.unsavedCount == 0)
/// ```
public final class PreferencesEngine: Sendable {
  /// The engine of the process. It saves unsaved changes when the process ends normally, within
  /// ``RuntimeConfiguration/exitFlushTimeout``.
  public static let process: PreferencesEngine = {
    let engine = PreferencesEngine(.system)
    atexit { PreferencesEngine.process.saveAtEnd() }
    return engine
  }()

  /// The engine of the application's stand-in store, or else the engine of the process.
  static var current: PreferencesEngine { PreferencesStore.standIn?.engine ?? .process }

  struct State {
    var configuration = RuntimeConfiguration()
    /// Domains with unsaved changes, and calls with a deadline.
    var alarms = Alarms()
    var timer = Timer.none
    /// After the engine has ended, how long changes are still saved, as they are made.
    var end: ContinuousClock.Instant?
    /// Allocated at the first change of this process.
    var marks: CommitMark.SharedMemory?
  }

  let state = Guarded(State())
  let clock: EngineClock
  /// Whether the program advances the clock.
  let isManual: Bool
  /// The folder of a manual engine, created when it is first needed.
  private let folder = Lock<String?>(nil)

  let registry = DomainRegistry()
  let registration = VolatileDomain()
  let watching: FileWatching
  let handlers = HandlerList<PreferencesEvent>()
  let deliveries = DeliveryQueue()
  /// Saves domains in the background and at the end; nil without threads.
  let savers: WorkerPool?
  /// Makes the calls of tasks, which must not occupy the threads that save.
  let callers: WorkerPool?
  let commits = ActivityCounter()
  /// Reads of new and changed contents.
  let reads = ActivityCounter()
  /// The number of file-backed domains in use.
  let fileCount = Atomic(0)

  private init(_ kind: EngineClock.Kind) {
    clock = EngineClock(kind)
    isManual = kind == .manual
    switch kind {
    case .system:
      let width = Self.saverCount
      savers = WorkerPool("larder-commit", width: width, limit: width + 32, patience: .seconds(1))
      callers = WorkerPool("larder-async", width: 8, limit: 64, patience: .seconds(1))
      watching = FileWatching()
    case .manual:
      savers = nil
      callers = nil
      watching = FileWatching(polling: clock)
    }
    Self.follow(self)
  }

  deinit { removeFolder() }

  /// The number of domains saved at once: enough for the disk to flush several files together, but
  /// at up to five descriptors each within the limit of the process.
  private static let saverCount = min(16, max(2, sysconf(Int32(_SC_OPEN_MAX)) / 8))

  /// Creates an engine for tests. Its clock stands still until ``advance(by:)``, and its
  /// ``locations`` are in its own folder.
  ///
  /// It starts no thread. It polls for changes by other processes, at each
  /// ``RuntimeConfiguration/pollingInterval`` of its clock and in ``settle()``. Calls wait for
  /// locks in real time.
  public static func manual() -> PreferencesEngine { PreferencesEngine(.manual) }

  /// Where stores keep domains unless their options say otherwise: the standard folders, or the
  /// folder of a manual engine.
  public var locations: DomainLocations {
    isManual ? DomainLocations(within: ownFolder) : .standard
  }

  private var ownFolder: String {
    folder.withLock { folder in
      if let folder { return folder }
      let template = FileManager.default.temporaryDirectory.path + "/larder-XXXXXX"
      var bytes = Array(template.utf8CString)
      precondition(mkdtemp(&bytes) != nil, "no temporary folder can be created")
      let new = String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      folder = new
      return new
    }
  }

  private func removeFolder() {
    let old = folder.withLock { exchange(&$0, with: nil) }
    if let old { try? FileManager.default.removeItem(atPath: old) }
  }

  // MARK: Configuration

  /// The configuration of the work in the background. A new one takes effect at once, also for
  /// existing stores: waiting changes are saved within the new
  /// ``RuntimeConfiguration/commitDelay``.
  public var configuration: RuntimeConfiguration {
    get { StateLock.change { $0[state].configuration } }
    set {
      ForkGate.shared.delayingForks {
        StateLock.change { change in
          change[state].configuration = newValue
          for file in unsavedFiles(in: change) {
            file.reschedule(in: change) { schedule, now, delay in
              schedule.applyDelay(delay, at: now)
            }
          }
        }
      }
      watching.apply(newValue)
    }
  }

  /// Figures about this engine. Reading them takes microseconds, and a little more for each unsaved
  /// domain.
  public var statistics: PreferencesStatistics {
    let (count, since) = unsaved
    let watching = watching.watcher.statistics
    let now = clock.now
    return PreferencesStatistics(
      domainCount: fileCount.load(ordering: .relaxed), unsavedCount: count,
      oldestUnsavedAge: since.map { now - $0 }, commits: commits.activity, reads: reads.activity,
      watchedCount: watching.fileCount, polledCount: watching.polledCount,
      watchCount: watching.watchCount, threadCount: isManual ? 0 : BackgroundThread.count,
      descriptorCount: watching.descriptorCount)
  }

  // MARK: A manual clock

  /// Advances the clock of a manual engine, and does the work that becomes due, on this thread and
  /// at its time: saving, retrying, polling, and calling observers and event handlers.
  ///
  /// Calling this on another engine is a programming error.
  public func advance(by duration: Duration) {
    precondition(isManual, "the clock of the process cannot be advanced")
    let end = clock.now + duration
    doWhatIsDue()
    while let next = nextTime, next <= end {
      clock.set(next)
      doWhatIsDue()
    }
    clock.set(end)
  }

  /// Does a manual engine's due work on this thread and reads what other processes have saved,
  /// without advancing the clock.
  ///
  /// Calling this on another engine is a programming error.
  public func settle() {
    precondition(isManual, "the engine of the process does what is due by itself")
    watching.watcher.pollSoon()
    doWhatIsDue()
  }

  /// When work is due next.
  private var nextTime: ContinuousClock.Instant? {
    let alarm = StateLock.change { $0[state].alarms.first() }
    return [alarm, watching.watcher.nextTime].compactMap(\.self).min()
  }

  private func doWhatIsDue() {
    repeat {
      watching.watcher.doWhatIsDue()
      ringAlarms()
      deliveries.deliverHere()
    } while nextTime.map { $0 <= clock.now } ?? false
  }

  /// Wakes the objects whose alarms are due, and returns whether there were any.
  @discardableResult
  func ringAlarms() -> Bool {
    let now = clock.now
    let due = StateLock.change { $0[state].alarms.takeDue(at: now) }
    for alarm in due { alarm.ring() }
    return !due.isEmpty
  }

  // MARK: The end

  /// Saves unsaved changes, as at the end of the process, stops watching files, and removes a
  /// manual engine's folder. Later changes are saved when they are made.
  public func shutDown() {
    saveAtEnd()
    watching.watcher.stop()
    if isManual { deliveries.deliverHere() }
    removeFolder()
  }
}
