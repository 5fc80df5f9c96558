internal import FileStorage
internal import FoundationEssentials
internal import PropertyList
internal import Synchronization
internal import Threading

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
    /// The content that was read, as it can be known again; nil where there was no file.
    var version: FileVersion?
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
  private let stage: Atomic<Stage>
  /// Held while the file is read or saved, so that these happen one after another.
  ///
  /// Its value means nothing. ThreadSanitizer reports false races on one without any bytes.
  private let filing = Lock(false)

  init(path: String?, isManaged: Bool = false) {
    self.path = path
    self.isManaged = isManaged
    stage = Atomic(path == nil ? .loaded : .unopened)
  }

  /// How far the file has been read.
  private enum Stage: UInt8, AtomicRepresentable {
    /// It has not been looked at.
    case unopened
    /// It is a large one that has been checked, from which single values can be had.
    case opened
    /// All its values are there.
    case loaded
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
      return (values.set(value, forKey: key, &delivery), value, state.isScheduled == Fork.count)
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
      return (values.replaceAll(with: new, &delivery), state.isScheduled == Fork.count)
    }
    if !isScheduled { CommitScheduler.shared.schedule(self) }
    delivery.deliver()
    return isChange
  }

  /// Notes that the background has been told that there are changes.
  func noteSchedule() {
    StateLock.change { state.isScheduled = Fork.count }
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
    reach(.loaded)
  }

  /// The same, but values of a large file may be left to be made when they are looked for.
  func open() {
    reach(.opened)
  }

  private func reach(_ wanted: Stage) {
    FileWatching.restartIfForked()
    if hasReached(wanted) { return }
    var delivery = Delivery()
    // Who is at work on the file may load it and go on for long.
    while !hasReached(wanted) {
      whileFiling(waiting: .milliseconds(10), &delivery) { delivery in
        openWhileFiling(&delivery)
        if wanted == .loaded { loadWhileFiling(&delivery) }
      }
    }
    delivery.deliver()
  }

  private func hasReached(_ wanted: Stage) -> Bool {
    stage.load(ordering: .acquiring).rawValue >= wanted.rawValue
  }

  /// Loads the file while nobody else is at work on it.
  func loadWhileFiling(_ delivery: inout Delivery) {
    openWhileFiling(&delivery)
    guard let path, !hasReached(.loaded) else { return }
    if let unread = StateLock.change({ values.unread }) {
      do throws(PlistError) {
        let all = try unread.dictionary.allValues()
        let version = unread.contents.version
        StateLock.change {
          state.version = version
          values.install(all, changed: nil, &delivery)
        }
      } catch {
        StateLock.change { state.problem = .corrupt(path: path, error) }
      }
    }
    stage.store(.loaded, ordering: .releasing)
  }

  private func openWhileFiling(_ delivery: inout Delivery) {
    if hasReached(.opened) { return }
    watch()
    readFile(&delivery)
    let isUnread = StateLock.change { values.unread != nil }
    stage.store(isUnread ? .opened : .loaded, ordering: .releasing)
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
    whileFiling(&delivery) { delivery in
      if hasReached(.opened) { readFile(&delivery) } else { openWhileFiling(&delivery) }
    }
  }

  /// Reads the file again if it has changed, later if somebody is at work on it: the thread that calls
  /// this has other files to look at.
  private func mayHaveChanged() {
    StateLock.change { state.isOutdated = true }
    var delivery = Delivery()
    _ = filing.withLock(waiting: .zero) { _ in
      StateLock.change { state.isOutdated = false }
      readFile(&delivery, isWatched: true)
    }
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
    defer {
      // Who wanted to look meanwhile does it now.
      let watch = StateLock.change { state.isOutdated ? state.watch : nil }
      watch?.scheduleCall(after: .zero)
    }
    guard let timeout else { return try filing.withLock { _ in try body(&delivery) } }
    return try filing.withLock(waiting: timeout) { _ in try body(&delivery) }
  }

  /// How long after a change it can be told for sure from a later one.
  private static let settling = Duration.milliseconds(20)

  /// Reads the file if it has changed, while nobody else is at work on it.
  ///
  /// - Parameter isWatched: Whether it will be looked at again when it changes further: one that is in
  ///   the middle of being written need not be waited for then, nor one that this process has just
  ///   written be read.
  func readFile(_ delivery: inout Delivery, isWatched: Bool = false) {
    guard let path else { return }
    let (version, watch) = StateLock.change {
      (state.problem == nil ? state.version : nil, state.watch)
    }
    do throws(PreferencesError) {
      if isWatched, let version, try Self.isUnsettled(version, at: path) {
        watch?.scheduleCall(after: Self.settling)
        return
      }
      let (found, contents) = try DomainContents.read(
        path, unless: version, attempts: isWatched ? 1 : 10, mayLeaveUnread: !hasReached(.opened))
      if isManaged, found.identity != nil, !ManagedFile.isTrusted(path) {
        install(DomainContents(), &delivery)
        throw .untrustedManagedFile(path: path)
      }
      if let contents {
        install(contents, &delivery)
      } else {
        StateLock.change { state.version = found.version }
      }
    } catch {
      // What was read while the file was whole stays.
      StateLock.change { state.problem = error }
    }
  }

  /// Whether a file looks as it did when it was read, but so shortly after its last change that another
  /// one need not show.
  private static func isUnsettled(
    _ version: FileVersion, at path: String
  ) throws(PreferencesError) -> Bool {
    guard version.identity.isRacy, let present = try? AtomicFile(path).identity() else {
      return false
    }
    return present == version.identity && present.isRacy
  }

  /// Takes over what the file holds.
  func install(_ contents: DomainContents, _ delivery: inout Delivery) {
    if let unread = contents.unread {
      return StateLock.change {
        state.note(contents)
        values.install(unread: unread)
      }
    }
    // Only who is at work on the file changes this.
    let (old, isUnread) = StateLock.change { (values.dictionary, values.unread != nil) }
    let changed = old.isEmpty ? nil : old.keysChanged(to: contents.values)
    StateLock.change {
      state.note(contents)
      if !isUnread, changed?.isEmpty ?? contents.values.isEmpty { return }
      values.install(contents.values, changed: changed, &delivery)
    }
  }
}

extension DomainFile.State {
  /// Notes what the file holds now.
  mutating func note(_ contents: DomainContents) {
    format = contents.format
    version = contents.version
    problem = nil
  }
}
