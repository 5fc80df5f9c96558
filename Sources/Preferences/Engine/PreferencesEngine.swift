internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import Threading

/// The state that stores share: the domains in use and the work in the background.
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
    atexit {
      let files = PreferencesEngine.process.saveAtEnd()
      PreferencesEngine.keptAtEnd.withLock { $0 = files }
    }
    return engine
  }()

  /// The domains at the end of the process. Releasing many of them would only waste time.
  private static let keptAtEnd = Lock<[DomainFile]>([])

  let runtime: Runtime
  /// The folder of a manual engine, created when it is first needed.
  private let folder = Lock<String?>(nil)

  let registry: DomainRegistry
  let registration = VolatileDomain()

  init(_ kind: EngineClock.Kind, disk: any Disk = SystemDisk()) {
    runtime = Runtime(kind, disk: disk)
    registry = DomainRegistry(runtime)
    Self.follow(self)
  }

  deinit {
    // Alarms retain unsaved domains, which retain the runtime and so the alarms.
    let alarms = StateLock.change { exchange(&$0[runtime.state].alarms, with: Alarms()) }
    withExtendedLifetime(alarms) {}
    removeFolder()
  }

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
    runtime.isManual ? DomainLocations(within: ownFolder) : .standard
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

  /// The configuration of the work in the background. A new configuration takes effect at once,
  /// even for existing stores: waiting changes are saved within the new commit delay.
  public var configuration: RuntimeConfiguration {
    get { StateLock.change { $0[runtime.state].configuration } }
    set {
      ForkGate.shared.delayingForks {
        StateLock.change { change in
          change[runtime.state].configuration = newValue
          for file in unsavedFiles(in: change) {
            file.reschedule(in: change) { schedule, now, delay in
              schedule.applyDelay(delay, at: now)
            }
          }
        }
      }
      runtime.events.printsFailures.store(newValue.printsFailures, ordering: .relaxed)
      runtime.watching.apply(newValue)
    }
  }

  /// Figures about this engine. Reading them takes microseconds, and a little more for each unsaved
  /// domain.
  public var statistics: PreferencesStatistics {
    let (count, since) = unsaved
    let watching = runtime.watching.watcher.statistics
    let now = runtime.clock.now
    return PreferencesStatistics(
      domainCount: runtime.fileCount.load(ordering: .relaxed), unsavedCount: count,
      oldestUnsavedAge: since.map { now - $0 }, commits: runtime.commits.activity,
      reads: runtime.reads.activity,
      watchedCount: watching.fileCount, polledCount: watching.polledCount,
      watchCount: watching.watchCount, threadCount: runtime.isManual ? 0 : BackgroundThread.count,
      descriptorCount: watching.descriptorCount)
  }

  // MARK: Events

  /// Handles the events of all stores of this engine; see ``PreferencesStore/onEvent(_:)``.
  public func onEvent(
    _ handler: @escaping @Sendable (PreferencesEvent) -> Void
  ) -> PreferencesObservation {
    let observation = runtime.events.add(handler)
    runtime.watching.begin()
    for file in registry.files { file.watchIfDue() }
    return observation
  }

  /// The events of all stores of this engine from now on; see
  /// ``PreferencesStore/events(buffering:)``.
  public func events(buffering limit: Int = 1_000) -> AsyncStream<PreferencesEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: PreferencesEvent.self, bufferingPolicy: .bufferingNewest(limit))
    let observation = onEvent { continuation.yield($0) }
    continuation.onTermination = { _ in observation.cancel() }
    return stream
  }

  package func post(_ event: PreferencesEvent, isHandled: Bool = false) {
    runtime.events.post(event, isHandled: isHandled)
  }

  // MARK: The end

  /// Saves unsaved changes, as at the end of the process, stops watching files, and removes a
  /// manual engine's folder. Later changes are saved when they are made.
  public func shutDown() {
    saveAtEnd()
    runtime.watching.watcher.stop()
    if runtime.isManual { runtime.deliveries.deliverHere() }
    removeFolder()
  }
}
