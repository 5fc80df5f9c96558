internal import FileStorage
internal import PropertyList

extension DomainFile {
  /// The state of the file and of committing to it.
  ///
  /// State that few files need is allocated when it is needed: a server has ten files for each of
  /// thousands of tenants, most of which do not exist.
  struct State {
    var format: PlistFormat?
    /// The version of the contents that were read; nil if there was no file.
    var version: FileVersion?
    /// The format that the file is held to; nil for any that fits.
    var pinnedFormat: PlistFormat?
    /// Whether dates are rounded down to whole seconds when they are set.
    var storesWholeSeconds: Bool { pinnedFormat == .xml }
    /// Whether the values are those of the copy.
    var usesCopy = false
    /// Whether the next commit writes the file even if its contents are right: after a failure it
    /// is unknown how much of it has reached the disk.
    var mustRewrite = false
    /// Whether an event has reported that the domain could not be saved, and none that it was since.
    var hasReportedSaveFailure = false
    /// Whether an event has reported that saving waits for a lock, and nothing was saved since.
    var hasReportedLock = false
    /// Whether an event has reported that saving changed the owner of the file.
    var hasReportedOwner = false
    /// Whether an event has reported that changes of the file are found by polling.
    var hasReportedPolling = false
    /// Whether a commit leaves the lock file beside the file, for the next one.
    var keepsLockFile = true
    /// When the changes are saved.
    var schedule = SaveSchedule.clean
    /// Whether the file was watched and is not until values are asked for, so that what is known of
    /// it may be out of date.
    var isOutdated = false
    /// Whether the contents are known: the file was read once, or there was none. Until then no key
    /// is known to have no value.
    var isKnown = false
    /// The number of the last commit that was begun.
    var commitNumber: UInt32 = 0
    /// Shows children the number of the last commit that succeeded.
    var mark: CommitMark?
    var watch: WatchedFile?
    private var trouble = OnDemand<Trouble>()
    private var demands = OnDemand<Demands>()

    init() {}
  }

  /// The state of a file that cannot be read, or that other processes change repeatedly.
  private struct Trouble {
    var problem: PreferencesError?
    var problemTime: ContinuousClock.Instant?
    var reportedProblem: PreferencesError?
    var racyLooks = RacyLooks()
    var failedLooks = FailedLooks()
  }

  /// The conditions that the program sets for the contents of the file.
  private struct Demands {
    var checks: [Int: Check] = [:]
    var endedChecks: Set<Int> = []
    var lastCheck = 0
    var copyPath: String?
    var copied: PlistDictionary?
    var reportedCopyFailure: PreferencesError?
  }

  /// A value in memory of its own, which is allocated when the value is first changed.
  private struct OnDemand<Value> {
    private final class Box {
      var value: Value

      init(_ value: Value) { self.value = value }
    }

    private var box: Box?

    /// The value; nil as long as it was not changed.
    var value: Value? { box?.value }

    /// Changes the value.
    ///
    /// - Parameter initial: The value that it has at first.
    mutating func change<Result>(
      from initial: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
      if !isKnownUniquelyReferenced(&box) { box = Box(box?.value ?? initial()) }
      return body(&box!.value)
    }
  }
}

// MARK: A file that cannot be read

extension DomainFile.State {
  /// Why the file could not be read; it is not overwritten then.
  var problem: PreferencesError? { trouble.value?.problem }

  /// The time at which the problem was first seen; nil if there has been none.
  var problemTime: ContinuousClock.Instant? { trouble.value?.problemTime }

  /// Notes why the file could not be read.
  mutating func note(_ problem: PreferencesError, at now: ContinuousClock.Instant) {
    if problem == self.problem { return }
    trouble.change(from: DomainFile.Trouble()) { trouble in
      trouble.problem = problem
      trouble.problemTime = now
    }
  }

  /// The problem that an event has reported.
  var reportedProblem: PreferencesError? {
    get { trouble.value?.reportedProblem }
    set {
      if newValue == reportedProblem { return }
      trouble.change(from: DomainFile.Trouble()) { $0.reportedProblem = newValue }
    }
  }

  /// The looks at a file whose timestamps do not tell whether it was changed again.
  var racyLooks: RacyLooks {
    get { trouble.value?.racyLooks ?? RacyLooks() }
    set { trouble.change(from: DomainFile.Trouble()) { $0.racyLooks = newValue } }
  }

  /// The looks at a file that the system has failed to read.
  var failedLooks: FailedLooks {
    get { trouble.value?.failedLooks ?? FailedLooks() }
    set {
      if trouble.value == nil, newValue.next == nil { return }
      trouble.change(from: DomainFile.Trouble()) { $0.failedLooks = newValue }
    }
  }

  /// Takes over what is known about the file from its contents.
  ///
  /// - Returns: Whether an event has reported that the file could not be read.
  mutating func update(with contents: DomainContents) -> Bool {
    let wasUnreadable = reportedProblem != nil
    format = contents.format
    version = contents.version
    if problem != nil { trouble.change(from: DomainFile.Trouble()) { $0.problem = nil } }
    reportedProblem = nil
    usesCopy = false
    isKnown = true
    failedLooks.noteSuccess()
    return wasUnreadable
  }
}

// MARK: What the program demands

extension DomainFile.State {
  /// The checks of the contents of the file, by number in the order in which they were added.
  var checks: [Int: DomainFile.Check] { demands.value?.checks ?? [:] }

  /// Adds a check.
  ///
  /// - Returns: Its number.
  mutating func add(_ check: @escaping DomainFile.Check) -> Int {
    demands.change(from: DomainFile.Demands()) { demands in
      demands.lastCheck += 1
      demands.checks[demands.lastCheck] = check
      return demands.lastCheck
    }
  }

  /// Removes a check, or notes that it is to be removed when all changes are saved.
  ///
  /// - Returns: The check, to be released when the lock is not held.
  mutating func removeCheck(_ number: Int, hasChanges: Bool) -> DomainFile.Check? {
    demands.change(from: DomainFile.Demands()) { demands in
      if hasChanges {
        demands.endedChecks.insert(number)
        return nil
      }
      return demands.checks.removeValue(forKey: number)
    }
  }

  /// Removes the checks that were to be removed when all changes are saved.
  ///
  /// - Returns: The checks, to be released when the lock is not held.
  mutating func removeEndedChecks() -> [DomainFile.Check] {
    guard demands.value?.endedChecks.isEmpty == false else { return [] }
    return demands.change(from: DomainFile.Demands()) { demands in
      let numbers = exchange(&demands.endedChecks, with: [])
      return numbers.compactMap { demands.checks.removeValue(forKey: $0) }
    }
  }

  /// The path of the copy of the last good contents; nil if none is kept.
  var copyPath: String? {
    get { demands.value?.copyPath }
    set { demands.change(from: DomainFile.Demands()) { $0.copyPath = newValue } }
  }

  /// The values of the copy, if they are known.
  var copied: PlistDictionary? {
    get { demands.value?.copied }
    set { demands.change(from: DomainFile.Demands()) { $0.copied = newValue } }
  }

  /// The failure of the copy that an event has reported.
  var reportedCopyFailure: PreferencesError? {
    get { demands.value?.reportedCopyFailure }
    set { demands.change(from: DomainFile.Demands()) { $0.reportedCopyFailure = newValue } }
  }

  /// Whether the program relies on good values while the file is bad, and there are such.
  var keepsGoodValues: Bool {
    (!checks.isEmpty || copyPath != nil) && (version != nil || usesCopy)
  }
}
