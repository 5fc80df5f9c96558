internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import Threading

/// What stores share: the domains that are in use, and what is done for them in the background.
///
/// The stores of a program use ``process``, unless ``PreferencesStore/Options/engine`` names another
/// one. Two engines with stores on the same file are to each other like two processes.
///
/// An engine for tests, made by ``manual()``, has a clock that the test advances, a folder of its own,
/// and no thread. What the library does after some time is then tested without waiting:
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
  /// The engine of the process. What its stores have not saved is saved when the process ends normally,
  /// within ``RuntimeConfiguration/exitFlushTimeout``.
  public static let process: PreferencesEngine = {
    let engine = PreferencesEngine(.system)
    atexit { PreferencesEngine.process.saveAtEnd() }
    return engine
  }()

  /// The engine of the store that stands in for the application's, or else the one of the process.
  static var current: PreferencesEngine { PreferencesStore.standIn?.engine ?? .process }

  struct State {
    var configuration = RuntimeConfiguration()
    /// The domains with changes that are not saved, and calls that are given up at a time.
    var alarms = Alarms()
    var timer = Timer.none
    /// The time until which a change is saved when it is made; nil until the engine ends.
    var end: ContinuousClock.Instant?
    /// Memory for the marks of this process; nil as long as it has changed nothing.
    var marks: CommitMark.SharedMemory?
  }

  let state = Guarded(State())
  let clock: EngineClock
  /// Whether the program says when time passes.
  let isManual: Bool
  /// The folder of an engine for tests, which is created when it is first needed.
  private let folder = Lock<String?>(nil)

  let registry = DomainRegistry()
  /// The registration domain that the stores share.
  let registration = VolatileDomain()
  let watching: FileWatching
  let handlers = HandlerList<PreferencesEvent>()
  let deliveries = DeliveryQueue()
  /// The threads that save domains in the background and at the end; nil for an engine without threads.
  let savers: WorkerPool?
  /// The threads that make the calls of tasks, which must not use up those that save.
  let callers: WorkerPool?
  /// Commits of changes to files.
  let commits = ActivityCounter()
  /// Reads of files that had changed, or had not been read.
  let reads = ActivityCounter()
  /// The number of domains in files that are in use.
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

  /// The number of domains that are saved at once: enough to have the disk flush several files
  /// together, but with at most five descriptors each no more than the process can open beside others.
  private static let saverCount = min(16, max(2, sysconf(Int32(_SC_OPEN_MAX)) / 8))

  /// Creates an engine for a test, with a clock that stands still until ``advance(by:)``, and with a
  /// folder of its own, where ``locations`` lie.
  ///
  /// It starts no thread. It finds what other processes save by polling, each
  /// ``RuntimeConfiguration/pollingInterval`` of its time, and in ``settle()``. How long a call waits for
  /// a lock is real time.
  public static func manual() -> PreferencesEngine { PreferencesEngine(.manual) }

  /// Where the domains of stores are, if the options of a store do not say so: the user's folders, and
  /// for an engine for tests its own folder.
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

  /// The configuration of what is done in the background. A new one takes effect at once, including for
  /// existing stores: changes that wait to be saved are saved within the new
  /// ``RuntimeConfiguration/commitDelay``.
  public var configuration: RuntimeConfiguration {
    get { StateLock.change { $0[state].configuration } }
    set {
      ForkGate.shared.delayingForks {
        StateLock.change { change in
          change[state].configuration = newValue
          for file in change[state].alarms.all.compactMap({ $0 as? DomainFile }) {
            file.reschedule(in: change) { schedule, now, delay in
              schedule.applyDelay(delay, at: now)
            }
          }
        }
      }
      watching.apply(newValue)
    }
  }

  /// Figures about what is done for the stores of this engine. Reading them takes microseconds, and a
  /// little more for each domain with changes that are not saved.
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

  /// Lets time pass, and does what is due in it, on this thread and each at its time: saving, trying
  /// again, polling, and calling observers and handlers of events.
  ///
  /// Only an engine that ``manual()`` has made has such a clock; for ``process`` it is a programming
  /// error.
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

  /// Does what is due now, on this thread, and reads what other processes have saved, without letting
  /// time pass.
  ///
  /// Only an engine that ``manual()`` has made needs that; for ``process`` it is a programming error.
  public func settle() {
    precondition(isManual, "the engine of the process does what is due by itself")
    watching.watcher.pollSoon()
    doWhatIsDue()
  }

  /// The time at which something is due next; nil if nothing is planned.
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

  /// Wakes the objects whose time has come.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  func ringAlarms() -> Bool {
    let now = clock.now
    let due = StateLock.change { $0[state].alarms.takeDue(at: now) }
    for alarm in due { alarm.ring() }
    return !due.isEmpty
  }

  // MARK: The end

  /// Saves what is not saved, as the end of a process does, stops watching files, and removes the folder
  /// of an engine for tests. From then on a change is saved when it is made.
  public func shutDown() {
    saveAtEnd()
    watching.watcher.stop()
    if isManual { deliveries.deliverHere() }
    removeFolder()
  }
}
