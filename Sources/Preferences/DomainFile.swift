internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

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

  struct State {
    var contents = DomainContents()
    var pending = PendingChanges()
    /// Why the file could not be read; nothing is written over it then.
    var problem: PreferencesError?
    var isLoaded: Bool
    /// The format that the file is held to; nil for whatever fits.
    var pinnedFormat: PlistFormat?
    /// Whether the file is written even if it says already what it should: after a failure nobody
    /// knows how much of it is on the disk.
    var isSuspect = false
    var failureHandlers: [@Sendable (PreferencesError) -> Void] = []
  }

  let state: Lock<State>
  /// Held while the file is read into the state or changed, so that these happen one after another.
  ///
  /// Its value means nothing. ThreadSanitizer reports false races on one without any bytes.
  let filing = Lock(false)

  init(path: String?, isManaged: Bool = false) {
    self.path = path
    self.isManaged = isManaged
    state = Lock(State(isLoaded: path == nil))
  }

  // MARK: Values

  /// The value of a key, saved or not.
  func value(forKey key: String) -> PlistValue? {
    load()
    return state.withLock { $0.value(forKey: key) }
  }

  /// All values, saved or not.
  var values: PlistDictionary {
    load()
    return state.withLock { $0.pending.applied(to: $0.contents.values) }
  }

  /// Why the file cannot be read; nil where it can, or there is none.
  var problem: PreferencesError? {
    load()
    return state.withLock { $0.problem }
  }

  /// Sets or removes a value, and has it saved soon.
  ///
  /// - Returns: Whether the value is another one now.
  @discardableResult
  func set(_ value: PlistValue?, forKey key: String) -> Bool {
    load()
    let isChange = state.withLock { state in
      let value = state.pinnedFormat == .xml ? value?.withWholeSeconds : value
      let old = state.value(forKey: key)
      state.pending.set(value, forKey: key)
      return old != value
    }
    CommitScheduler.shared.schedule(self)
    return isChange
  }

  /// Puts other values in the place of all that there are.
  func replaceAll(with values: PlistDictionary) {
    load()
    state.withLock { state in
      let values = state.pinnedFormat == .xml ? values.withWholeSeconds : values
      state.pending.replaceAll(with: values)
    }
    CommitScheduler.shared.schedule(self)
  }

  /// Holds the file to a format from now on.
  func pin(_ format: PlistFormat) {
    state.withLock { $0.pinnedFormat = format }
  }

  // MARK: Reading the file

  /// Reads the file when that has not been done yet.
  private func load() {
    if state.withLock({ $0.isLoaded }) { return }
    filing.withLock { _ in
      if state.withLock({ $0.isLoaded }) { return }
      readFile()
    }
  }

  /// Reads the file again if it has changed.
  func reload() {
    filing.withLock { _ in readFile() }
  }

  /// Reads the file while `filing` is held.
  func readFile() {
    guard let path else { return }
    let known = state.withLock { $0.known }
    let result = Result { () throws(PreferencesError) -> DomainContents? in
      let contents = try DomainContents.read(path, unless: known?.identity)
      if isManaged, contents?.identity != nil, !ManagedFile.isTrusted(path) {
        throw .untrustedManagedFile(path: path)
      }
      return contents
    }
    state.withLock { state in
      state.isLoaded = true
      switch result {
      case .success(let contents):
        state.problem = nil
        if let contents { state.contents = contents }
      case .failure(let error):
        // What was read while the file was whole stays.
        state.problem = error
        if case .untrustedManagedFile = error { state.contents = DomainContents() }
      }
    }
  }
}

extension DomainFile.State {
  func value(forKey key: String) -> PlistValue? {
    if let operation = pending.operation(on: key) { return operation.value }
    return pending.replacement == nil ? contents.values[key] : nil
  }

  /// What the file holds as long as it is in the state in which it was read; nil where that would not
  /// be noticed for sure.
  var known: DomainContents? {
    isLoaded && problem == nil && contents.identity?.isSettled == true ? contents : nil
  }
}

extension PlistDictionary {
  /// The values with their dates in whole seconds, as XML will have them.
  var withWholeSeconds: PlistDictionary {
    PlistDictionary(map { ($0.key, $0.value.withWholeSeconds) })
  }
}

extension PlistValue {
  /// The value with its dates in whole seconds, as XML will have them.
  fileprivate var withWholeSeconds: PlistValue {
    switch self {
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
      return .date(.init(timeIntervalSinceReferenceDate: seconds))
    case .array(let elements):
      return .array(elements.map(\.withWholeSeconds))
    case .dictionary(let dictionary):
      return .dictionary(dictionary.withWholeSeconds)
    default:
      return self
    }
  }
}
