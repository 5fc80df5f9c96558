internal import FileStorage
internal import PropertyList

extension DomainFile {
  /// The state of the file and of commits to it.
  ///
  /// State that few files need is allocated lazily: a server has ten files for each of thousands of
  /// tenants, and most of them do not exist.
  struct State {
    var format: PlistFormat?
    /// Whether the file that was read has comments, which the next commit removes.
    var hasComments = false
    /// The version that was read; nil if there was no file.
    var version: FileVersion?
    /// The format that the file keeps; nil for any that fits.
    var pinnedFormat: PlistFormat?
    /// Whether dates are rounded down to whole seconds.
    var storesWholeSeconds: Bool { pinnedFormat == .xml }
    /// Whether the values come from the copy.
    var usesCopy = false
    /// Whether the next commit writes the file even if its contents are right: after a failure it
    /// is unknown how much has reached the disk.
    var mustRewrite = false
    /// Whether a save failure was reported and no recovery since.
    var hasReportedSaveFailure = false
    /// Whether a wait for the lock was reported and nothing has been saved since.
    var hasReportedLock = false
    var hasReportedOwner = false
    var hasReportedPolling = false
    /// Whether commits leave the lock file beside the file for the next one.
    var keepsLockFile = true
    var schedule = SaveSchedule.clean
    /// Whether the file is no longer watched until values are read again, so that the values may be
    /// out of date.
    var isOutdated = false
    /// Whether the file was read once or found missing. Until then no key is known to have no
    /// value.
    var isKnown = false
    var watch: (any DomainFileWatch)?
    private(set) var retries: Retries?
    private(set) var constraints: Constraints?

    /// ``retries``, allocated if necessary.
    mutating func madeRetries() -> Retries {
      if retries == nil { retries = Retries() }
      return retries!
    }

    /// ``constraints``, allocated if necessary.
    mutating func madeConstraints() -> Constraints {
      if constraints == nil { constraints = Constraints() }
      return constraints!
    }

    /// Why the file could not be read, and must not be overwritten.
    var problem: PreferencesError? { retries?.problem }

    mutating func note(_ problem: PreferencesError, at now: Moment) {
      if problem == self.problem { return }
      madeRetries().problem = problem
      madeRetries().problemTime = now
    }

    /// Updates the state from contents that were read, and returns whether the file was reported
    /// as unreadable.
    mutating func update(with contents: DomainContents) -> Bool {
      let wasUnreadable = retries?.reportedProblem != nil
      format = contents.format
      hasComments = contents.hasComments
      version = contents.version
      usesCopy = false
      isKnown = true
      retries?.noteSuccess()
      return wasUnreadable
    }

    /// Forgets what a parent process knew of the file and has reported about saving it.
    mutating func forgetFile() {
      (version, format, hasComments) = (nil, nil, false)
      (usesCopy, isKnown, isOutdated, mustRewrite) = (false, false, false, false)
      (hasReportedSaveFailure, hasReportedLock) = (false, false)
      retries?.noteSuccess()
    }

    /// Whether there are good values for the program to use while the file is bad.
    var keepsGoodValues: Bool {
      guard let constraints, version != nil || usesCopy else { return false }
      return !constraints.checks.isEmpty || constraints.copyPath != nil
    }
  }

  /// Retry state of a file that is missing, cannot be read or that other processes change repeatedly. Guarded
  /// by the state lock.
  final class Retries {
    fileprivate(set) var problem: PreferencesError?
    /// When the problem was first seen.
    fileprivate(set) var problemTime: Moment?
    /// The problem that was reported.
    var reportedProblem: PreferencesError?
    /// When the file was first found to be missing, unless that counts as its removal.
    var missingSince: Moment?
    var racyReads = RacyReads()
    var failedReads = FailedReads()

    fileprivate func noteSuccess() {
      problem = nil
      reportedProblem = nil
      missingSince = nil
      failedReads.noteSuccess()
    }
  }

  /// The program's constraints on the file's contents. Guarded by the state lock.
  final class Constraints {
    /// The checks by number, which increases in the order they are added.
    private(set) var checks: [Int: Check] = [:]
    /// Checks to remove when all changes are saved.
    private var endedChecks: Set<Int> = []
    private var lastCheck = 0
    /// The path of the copy of the last good contents, if one is kept.
    var copyPath: String?
    /// The values of the copy, if known.
    var copied: PlistDictionary?
    /// The failure of the copy that was reported.
    var reportedCopyFailure: PreferencesError?

    /// Adds a check and returns its number.
    func add(_ check: @escaping Check) -> Int {
      lastCheck += 1
      checks[lastCheck] = check
      return lastCheck
    }

    /// Removes a check at once or, with unsaved changes, when all changes are saved.
    ///
    /// - Returns: The removed check, to be released without the lock.
    func removeCheck(_ number: Int, hasChanges: Bool) -> Check? {
      if !hasChanges { return checks.removeValue(forKey: number) }
      endedChecks.insert(number)
      return nil
    }

    /// Removes and returns the ended checks, to be released without the lock.
    func removeEndedChecks() -> [Check] {
      exchange(&endedChecks, with: []).compactMap { checks.removeValue(forKey: $0) }
    }
  }
}
