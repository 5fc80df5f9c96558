internal import FileStorage
internal import FoundationEssentials
internal import PropertyList
internal import Synchronization

/// A domain and the file that keeps it, shared by all stores of the process that use it.
///
/// It holds what the file held when it was last looked at, and the changes that are not saved yet;
/// whoever reads sees both. Saving takes only those changes to the file, under its lock, on top of what
/// other processes have put there meanwhile.
final class DomainFile: Sendable {
  /// The path of the file; nil for a domain that lives in memory alone.
  let path: String?
  /// Whether the file counts only if nobody but root can have written it.
  let isManaged: Bool
  /// What readers see. It is right once the file has been loaded.
  let values = DomainValues()

  /// What is known of the file and of saving to it.
  struct State {
    var format: PlistFormat?
    /// The state of the file in which it held what was read; nil where there is none.
    var identity: FileIdentity?
    /// A hash of its bytes then.
    var fingerprint: UInt64?
    /// Why the file could not be read; nothing is written over it then.
    var problem: PreferencesError?
    /// The format that the file is held to; nil for whatever fits.
    var pinnedFormat: PlistFormat?
    /// Whether the file is written even if it says already what it should: after a failure nobody
    /// knows how much of it is on the disk.
    var isSuspect = false
    /// The fork count of the process in which the background knows that there is something to save.
    var isScheduled: UInt32?
    /// Whether the file is to be looked at as soon as nobody is at work on it.
    var isOutdated = false
    var failureHandlers: [@Sendable (PreferencesError) -> Void] = []
    var watch: WatchedFile?
  }

  /// Guarded by ``StateLock/change(_:)``.
  nonisolated(unsafe) var state = State()
  private let isLoaded: Atomic<Bool>
  /// Held while the file is read or saved, so that these happen one after another.
  ///
  /// Its value means nothing. ThreadSanitizer reports false races on one without any bytes.
  private let filing = Lock(false)

  init(path: String?, isManaged: Bool = false) {
    self.path = path
    self.isManaged = isManaged
    isLoaded = Atomic(path == nil)
  }

  // MARK: Values

  /// The value of a key, saved or not.
  func value(forKey key: String) -> PlistValue? {
    load()
    return StateLock.change { values.value(forKey: key) }
  }

  /// All values, saved or not.
  var allValues: PlistDictionary {
    load()
    return StateLock.change { values.values }
  }

  /// Why the file cannot be read; nil where it can, or there is none.
  var problem: PreferencesError? {
    load()
    return StateLock.change { state.problem }
  }

  /// Sets or removes a value, and has it saved soon.
  ///
  /// - Returns: Whether the value is another one now.
  @discardableResult
  func set(_ value: PlistValue?, forKey key: String) -> Bool {
    load()
    var delivery = Delivery()
    let (old, new, isScheduled) = StateLock.change {
      let value = state.pinnedFormat == .xml ? value?.withWholeSeconds : value
      return (values.set(value, forKey: key, &delivery), value, beginSchedule())
    }
    if !isScheduled { CommitScheduler.shared.schedule(self) }
    delivery.deliver()
    return old != new
  }

  /// Puts other values in the place of all that there are.
  ///
  /// - Returns: Whether they are others.
  @discardableResult
  func replaceAll(with new: PlistDictionary) -> Bool {
    load()
    var delivery = Delivery()
    let (isChange, isScheduled) = StateLock.change {
      let new = state.pinnedFormat == .xml ? new.withWholeSeconds : new
      return (values.replaceAll(with: new, &delivery), beginSchedule())
    }
    if !isScheduled { CommitScheduler.shared.schedule(self) }
    delivery.deliver()
    return isChange
  }

  /// Notes that the background is told of changes.
  ///
  /// - Returns: Whether it has been told already.
  private func beginSchedule() -> Bool {
    if state.isScheduled == Fork.count { return true }
    state.isScheduled = Fork.count
    return false
  }

  /// Whether there are changes that are not saved. If not, the background has to be told of the next.
  func continuesSchedule() -> Bool {
    StateLock.change {
      if values.hasChanges { return true }
      state.isScheduled = nil
      return false
    }
  }

  /// Whether there are changes that are not saved.
  var hasChanges: Bool { StateLock.change { values.hasChanges } }

  /// Holds the file to a format from now on.
  func pin(_ format: PlistFormat) {
    StateLock.change { state.pinnedFormat = format }
  }

  // MARK: Reading the file

  /// Reads the file when that has not been done yet, and has it watched from then on.
  func load() {
    if isLoaded.load(ordering: .acquiring) { return }
    var delivery = Delivery()
    whileFiling(&delivery) { delivery in loadWhileFiling(&delivery) }
    delivery.deliver()
  }

  /// Loads the file while nobody else is at work on it.
  func loadWhileFiling(_ delivery: inout Delivery) {
    if isLoaded.load(ordering: .acquiring) { return }
    watch()
    readFile(&delivery)
    isLoaded.store(true, ordering: .releasing)
  }

  /// Has the file watched, or not, as the process is set up.
  func watch() {
    guard let path else { return }
    let watch = FileWatching.watch(path) { [weak self] in self?.mayHaveChanged() }
    let old = StateLock.change { exchange(&state.watch, with: watch) }
    withExtendedLifetime(old) {}
  }

  /// Reads the file again if it has changed.
  func reload(_ delivery: inout Delivery) {
    whileFiling(&delivery) { delivery in readFile(&delivery) }
  }

  /// Reads the file again if it has changed, later if somebody is at work on it: the thread that calls
  /// this has other files to look at.
  private func mayHaveChanged() {
    StateLock.change { state.isOutdated = true }
    var delivery = Delivery()
    catchUp(&delivery)
    delivery.deliverElsewhere()
  }

  /// Does something while nobody else reads or saves the file.
  ///
  /// - Parameter timeout: How long to wait for others; nil to do so without end.
  /// - Returns: Nil where others took longer.
  @discardableResult
  func whileFiling<Result>(
    waiting timeout: Duration? = nil, _ delivery: inout Delivery,
    _ body: (inout Delivery) throws -> Result
  ) rethrows -> Result? {
    defer { catchUp(&delivery) }
    guard let timeout else { return try filing.withLock { _ in try body(&delivery) } }
    return try filing.withLock(waiting: timeout) { _ in try body(&delivery) }
  }

  /// Looks at the file if that was asked for, unless somebody is at work on it, who will do it then.
  private func catchUp(_ delivery: inout Delivery) {
    while StateLock.change({ state.isOutdated }) {
      let isDone: Void? = filing.withLock(waiting: .zero) { _ in
        StateLock.change { state.isOutdated = false }
        readFile(&delivery, attempts: 1)
      }
      if isDone == nil { return }
    }
  }

  /// Reads the file if it has changed, while nobody else is at work on it.
  ///
  /// - Parameter attempts: How often to look at a file that may be in the middle of being written.
  func readFile(_ delivery: inout Delivery, attempts: Int = 10) {
    guard let path else { return }
    let known = StateLock.change { state.known(values.dictionary) }
    do throws(PreferencesError) {
      let (identity, contents) = try DomainContents.read(path, unless: known, attempts: attempts)
      if isManaged, identity != nil, !ManagedFile.isTrusted(path) {
        install(DomainContents(), &delivery)
        throw .untrustedManagedFile(path: path)
      }
      if let contents {
        install(contents, &delivery)
      } else {
        StateLock.change { state.identity = identity }
      }
    } catch {
      // What was read while the file was whole stays.
      StateLock.change { state.problem = error }
    }
  }

  /// Takes over what the file holds.
  func install(_ contents: DomainContents, _ delivery: inout Delivery) {
    // Only who is at work on the file changes this.
    let old = StateLock.change { values.dictionary }
    let changed = old.keysChanged(to: contents.values)
    StateLock.change {
      state.note(contents)
      if changed.isEmpty { return }
      values.install(
        contents.values, changed: changed, observed: changed, endsSaving: false, &delivery)
    }
  }
}

extension DomainFile.State {
  /// What the file held when it was last read; nil where it was not.
  func known(_ values: PlistDictionary) -> DomainContents? {
    guard problem == nil, identity != nil else { return nil }
    return DomainContents(
      values: values, format: format, identity: identity, fingerprint: fingerprint)
  }

  /// Notes what the file holds now.
  mutating func note(_ contents: DomainContents) {
    format = contents.format
    identity = contents.identity
    fingerprint = contents.fingerprint
    problem = nil
  }
}
