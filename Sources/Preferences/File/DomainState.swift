internal import FileStorage
internal import PropertyList

/// A domain's knowledge of its file, when it saves its changes, and whether it watches the file.
///
/// This type only decides. It holds none of the domain's values, takes no lock, touches no file and
/// reads no clock. ``DomainFile`` tells it what has happened and carries out its decisions.
///
/// Three regions change independently of each other. ``SaveSchedule`` has the table of the second.
///
/// | contents | read or saved | found missing | found unchanged | failed to read | forked |
/// |---|---|---|---|---|---|
/// | memory | - | - | - | - | - |
/// | unopened, with or without a folder | loaded | missing | - | unreadable | unopened |
/// | missing | loaded | missing | - | unreadable | unopened |
/// | loaded | loaded | missing | loaded | unreadable | unopened |
/// | unreadable | loaded | missing | - | unreadable | unopened |
///
/// | watching | values used | watch begun | changed without use | forked |
/// |---|---|---|---|---|
/// | off | due | on | unused | - |
/// | due | - | on | unused | - |
/// | on | - | on | unused | - |
/// | unused | due | on | - | off |
///
/// | besides | begins | ends |
/// |---|---|---|
/// | missing since | the watch finds no file | read, saved, found unchanged, forked |
/// | re-reads of racy timestamps | the watch finds such a file | the file has another identity |
/// | ``mustRewrite`` | a commit begins to replace the file | saved |
/// | wait for the lock reported | reported | saved, forked |
/// | owner change or polling reported | reported | - |
///
/// In all tables, `-` means no change.
///
/// Rules that concern several regions:
/// - The version of an unreadable file is unknown, so the next read does not compare it.
/// - A problem is reported once. A file that is being written is reported only if it stays bad. A
///   recovery is reported only if the problem was.
/// - A commit that has begun to replace the file leaves ``mustRewrite`` set until a commit has
///   succeeded, even in a forked child: the system reports a failed flush only once.
struct DomainState {
  /// Most of a server's files are missing, so the other cases are boxed.
  enum Contents {
    /// The domain has no file.
    case memory
    /// The file was not read yet.
    case unopened
    /// The same, and its folder was missing when the domain was opened.
    case unopenedWithoutFolder
    case missing
    indirect case loaded(DomainContents.File)
    /// The file must not be overwritten.
    indirect case unreadable(ReadFailure, values: Values)
  }

  /// The origin of the values that a domain has while its file is unreadable.
  enum Values {
    /// No key is known to have no value.
    case unknown
    case copy
    case file(DomainContents.File?)
  }

  struct ReadFailure {
    var cause: PreferencesError
    /// When the cause was first seen.
    var since: Moment
    var reported: PreferencesError?
    var reads = FailedReads()
  }

  enum Watching {
    case off
    /// A turn will begin to watch the file.
    case due
    case on(any DomainFileWatch)
    /// Watching was ended because no values were read. The values may be out of date.
    case unused
  }

  /// Events that are reported once.
  struct Reports: OptionSet {
    let rawValue: UInt8
    /// Until the next commit.
    static var lockWait: Reports { Reports(rawValue: 1) }
    static var ownerChange: Reports { Reports(rawValue: 2) }
    static var polling: Reports { Reports(rawValue: 4) }
  }

  /// The part of the state that readers see without a lock.
  struct Phase: OptionSet {
    let rawValue: UInt8
    /// The file was read, with or without success.
    static var isOpen: Phase { Phase(rawValue: 1) }
    /// The watcher reports changes of the file, or soon will.
    static var isWatched: Phase { Phase(rawValue: 2) }
    /// The system failed to read the file. It is read again when that is due.
    static var needsReread: Phase { Phase(rawValue: 4) }
  }

  /// When the watcher reads the file again. Few files need this.
  private enum Rereads {
    case none
    indirect case some(missingSince: Moment?, racy: RacyReads)
  }

  private(set) var contents: Contents
  var saving = SaveSchedule.clean
  private(set) var watching = Watching.off
  private var rereads = Rereads.none
  private var reports: Reports = []
  /// Whether the next commit writes the file even if its contents are right: after a failure it is
  /// unknown how much has reached the disk.
  var mustRewrite = false
  /// Whether commits leave the lock file beside the file for the next one.
  var keepsLockFile = true
  /// The format that the file keeps; nil for any that fits.
  var pinnedFormat: PlistFormat?
  /// The program's constraints on the contents, in a separate object since few files have any.
  private(set) var constraints: Constraints?

  /// How long another program may take to write a file.
  private static let timeToWrite = Duration.milliseconds(500)

  init(_ contents: Contents) { self.contents = contents }

  // MARK: Known facts

  var phase: Phase {
    var phase: Phase = []
    switch contents {
    case .memory: phase = [.isOpen, .isWatched]
    case .unopened, .unopenedWithoutFolder: break
    case .missing, .loaded: phase = .isOpen
    case .unreadable(let failure, _):
      phase = failure.reads.next == nil ? .isOpen : [.isOpen, .needsReread]
    }
    switch watching {
    case .off, .unused: break
    case .due, .on: phase.insert(.isWatched)
    }
    return phase
  }

  /// The file that the values come from; nil if there is none, or its version is not known.
  var file: DomainContents.File? { if case .loaded(let file) = contents { file } else { nil } }

  /// The file that the values come from, which may have become unreadable since.
  var lastFile: DomainContents.File? {
    switch contents {
    case .loaded(let file): file
    case .unreadable(_, values: .file(let file)): file
    case .memory, .unopened, .unopenedWithoutFolder, .missing, .unreadable: nil
    }
  }

  /// Whether the file existed when it was last read.
  var expectsFile: Bool {
    switch contents {
    case .loaded, .unreadable: true
    case .memory, .unopened, .unopenedWithoutFolder, .missing: false
    }
  }

  /// Whether the file was not read yet, and its folder was missing when the domain was opened.
  var hadNoFolder: Bool { if case .unopenedWithoutFolder = contents { true } else { false } }

  /// Whether a key without a value is known to have none.
  var isKnown: Bool {
    switch contents {
    case .unopened, .unopenedWithoutFolder, .unreadable(_, values: .unknown): false
    case .memory, .missing, .loaded, .unreadable: true
    }
  }

  /// Why the file could not be read.
  var problem: PreferencesError? {
    if case .unreadable(let failure, _) = contents { failure.cause } else { nil }
  }

  /// When a file is read again that the system failed to read.
  var nextReread: Moment? {
    if case .unreadable(let failure, _) = contents { failure.reads.next } else { nil }
  }

  var watch: (any DomainFileWatch)? { if case .on(let watch) = watching { watch } else { nil } }

  /// Whether the values may be out of date because the file is no longer watched.
  var isOutdated: Bool { if case .unused = watching { true } else { false } }

  /// Whether dates are rounded down to whole seconds.
  var storesWholeSeconds: Bool { pinnedFormat == .xml }

  /// Whether there are good values for the program to use while the file is bad.
  var keepsGoodValues: Bool {
    guard case .unreadable(_, let values) = contents, let constraints,
      !constraints.checks.isEmpty || constraints.copyPath != nil
    else { return false }
    return switch values {
    case .copy, .file(_?): true
    case .unknown, .file: false
    }
  }

  // MARK: Contents

  /// The file was read or saved, or is missing.
  ///
  /// - Returns: Whether a recovery must be reported.
  mutating func didRead(_ file: DomainContents.File?) -> Bool {
    noteReturn()
    let old = contents
    if case .memory = old { return false }
    contents = file.map { .loaded($0) } ?? .missing
    return if case .unreadable(let failure, _) = old { failure.reported != nil } else { false }
  }

  /// The file has the known contents, perhaps with other timestamps.
  mutating func didFindUnchanged(_ version: FileVersion) {
    noteReturn()
    guard case .loaded(var file) = contents else { return }
    file.version = version
    contents = .loaded(file)
  }

  /// The file could not be read.
  ///
  /// - Parameters:
  ///   - values: The origin of values that have replaced the known values; nil for no change.
  ///   - isWatched: Whether the watcher calls. The file may then still be in the middle of a write.
  /// - Returns: Whether the problem must be reported, and when the watch must call again.
  mutating func didFailToRead(
    _ problem: PreferencesError, values new: Values? = nil, isWatched: Bool = false, at now: Moment
  ) -> (isNew: Bool, pause: Duration?) {
    var failure = ReadFailure(cause: problem, since: now)
    var values = new ?? .unknown
    switch contents {
    case .memory: return (false, nil)
    case .unopened, .unopenedWithoutFolder: break
    case .missing: values = new ?? .file(nil)
    case .loaded(let file): values = new ?? .file(file)
    case .unreadable(let old, let oldValues):
      values = new ?? oldValues
      failure = old
    }
    if failure.cause != problem { (failure.cause, failure.since) = (problem, now) }
    let rest = Self.timeToWrite - (now - failure.since)
    let waits = isWatched && problem.cause.mayPassSoon && rest > .zero
    let isNew = !waits && (exchange(&failure.reported, with: problem) != problem || new != nil)
    var pause = waits ? rest : nil
    if case .storage = problem {
      pause = failure.reads.noteFailure(now: now)
    } else {
      failure.reads.noteSuccess()
    }
    contents = .unreadable(failure, values: values)
    return (isNew, pause)
  }

  // MARK: Watching

  /// Records that values are read while the file is not watched. Returns whether to start watching.
  mutating func claimWatching() -> Bool {
    switch watching {
    case .off, .unused:
      watching = .due
      return true
    case .due, .on: return false
    }
  }

  /// A watch has begun. Returns the previous watch.
  mutating func didWatch(_ watch: any DomainFileWatch) -> (any DomainFileWatch)? {
    defer { watching = .on(watch) }
    return self.watch
  }

  /// The file has changed, and nothing has used its values since the last change. Returns the watch
  /// to end.
  mutating func stopWatching() -> (any DomainFileWatch)? {
    defer { watching = .unused }
    return watch
  }

  /// How long to wait before reading a file whose racy timestamps show no change; nil if it is due.
  mutating func pause(before identity: FileIdentity, at now: Moment) -> Duration? {
    changeRereads { _, racy in racy.pause(before: identity, now: now) }
  }

  /// How long after a read to read a file with racy timestamps again; nil for never.
  mutating func pause(after identity: FileIdentity, at now: Moment) -> Duration? {
    changeRereads { _, racy in racy.pause(after: identity, now: now) }
  }

  /// How long to wait for the return of a file that is missing; nil if it counts as removed.
  mutating func pauseBeforeRemoval(at now: Moment) -> Duration? {
    changeRereads { missingSince, _ in
      let since = missingSince ?? now
      missingSince = since
      let pause = MissingFile.timeToReturn - (now - since)
      return pause > .zero ? pause : nil
    }
  }

  private mutating func noteReturn() {
    if case .some = rereads { changeRereads { missingSince, _ in missingSince = nil } }
  }

  private mutating func changeRereads<Result>(
    _ body: (_ missingSince: inout Moment?, _ racy: inout RacyReads) -> Result
  ) -> Result {
    var (missingSince, racy) = (Moment?.none, RacyReads())
    if case .some(let oldSince, let oldRacy) = rereads {
      (missingSince, racy) = (oldSince, oldRacy)
    }
    defer { rereads = .some(missingSince: missingSince, racy: racy) }
    return body(&missingSince, &racy)
  }

  // MARK: Other events

  /// Returns whether something that is reported once has not been reported yet.
  mutating func isFirstReport(of event: Reports) -> Bool { reports.insert(event).inserted }

  /// A commit has succeeded.
  mutating func didSave() {
    mustRewrite = false
    reports.remove(.lockWait)
  }

  /// ``constraints``, allocated if necessary.
  mutating func madeConstraints() -> Constraints {
    let made = constraints ?? Constraints()
    constraints = made
    return made
  }

  /// Changes the known stamps of a synchronized domain.
  mutating func changeStamps(_ body: (inout KnownStamps) -> Void) {
    let constraints = madeConstraints()
    var stamps = constraints.stamps ?? KnownStamps()
    body(&stamps)
    constraints.stamps = stamps
  }

  /// The process is a forked child. Unless the domain is in memory, its parent saves the unsaved
  /// changes.
  mutating func didFork(at now: Moment) {
    if case .memory = contents { return saving.restart(at: now) }
    saving = .clean
    contents = .unopened
    if isOutdated { watching = .off }
    noteReturn()
    reports.remove(.lockWait)
  }
}
