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
    private(set) var retries: Retries?
    private(set) var constraints: Constraints?

    /// The same as ``retries``, allocated if necessary.
    mutating func madeRetries() -> Retries {
      if retries == nil { retries = Retries() }
      return retries!
    }

    /// The same as ``constraints``, allocated if necessary.
    mutating func madeConstraints() -> Constraints {
      if constraints == nil { constraints = Constraints() }
      return constraints!
    }

    /// Why the file could not be read; it is not overwritten then.
    var problem: PreferencesError? { retries?.problem }

    mutating func note(_ problem: PreferencesError, at now: ContinuousClock.Instant) {
      if problem == self.problem { return }
      madeRetries().problem = problem
      madeRetries().problemTime = now
    }

    /// Takes over what is known about the file from its contents.
    ///
    /// - Returns: Whether an event has reported that the file could not be read.
    mutating func update(with contents: DomainContents) -> Bool {
      let wasUnreadable = retries?.reportedProblem != nil
      format = contents.format
      version = contents.version
      usesCopy = false
      isKnown = true
      retries?.noteSuccess()
      return wasUnreadable
    }

    /// Whether the program relies on good values while the file is bad, and there are such.
    var keepsGoodValues: Bool {
      guard let constraints, version != nil || usesCopy else { return false }
      return !constraints.checks.isEmpty || constraints.copyPath != nil
    }
  }

  /// What is known of a file that cannot be read, or that other processes change repeatedly. Guarded by
  /// the state lock.
  final class Retries {
    fileprivate(set) var problem: PreferencesError?
    /// The time at which the problem was first seen.
    fileprivate(set) var problemTime: ContinuousClock.Instant?
    /// The problem that an event has reported.
    var reportedProblem: PreferencesError?
    /// The re-reads of a file whose timestamps are racy.
    var racyLooks = RacyLooks()
    /// The re-reads of a file that the system has failed to read.
    var failedLooks = FailedLooks()

    fileprivate func noteSuccess() {
      problem = nil
      reportedProblem = nil
      failedLooks.noteSuccess()
    }
  }

  /// What the program demands of the contents of the file. Guarded by the state lock.
  final class Constraints {
    /// The checks by number, in the order in which they were added.
    private(set) var checks: [Int: Check] = [:]
    /// The checks to remove when all changes are saved.
    private var endedChecks: Set<Int> = []
    private var lastCheck = 0
    /// The path of the copy of the last good contents; nil if none is kept.
    var copyPath: String?
    /// The values of the copy, if they are known.
    var copied: PlistDictionary?
    /// The failure of the copy that an event has reported.
    var reportedCopyFailure: PreferencesError?

    /// Adds a check.
    ///
    /// - Returns: Its number.
    func add(_ check: @escaping Check) -> Int {
      lastCheck += 1
      checks[lastCheck] = check
      return lastCheck
    }

    /// Removes a check, or notes that it is to be removed when all changes are saved.
    ///
    /// - Returns: The check, to be released when the lock is not held.
    func removeCheck(_ number: Int, hasChanges: Bool) -> Check? {
      if !hasChanges { return checks.removeValue(forKey: number) }
      endedChecks.insert(number)
      return nil
    }

    /// Removes the checks that were to be removed when all changes are saved.
    ///
    /// - Returns: The checks, to be released when the lock is not held.
    func removeEndedChecks() -> [Check] {
      exchange(&endedChecks, with: []).compactMap { checks.removeValue(forKey: $0) }
    }
  }
}
