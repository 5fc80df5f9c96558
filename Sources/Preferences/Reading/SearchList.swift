internal import FileStorage
internal import PropertyList
internal import Synchronization
internal import Threading

/// The layers that a store searches for a key, in order, and the observers of the effective values.
final class SearchList: Sendable {
  /// A layer and its domain.
  struct Entry: Sendable {
    var layer: PreferencesLayer
    var source: Source

    enum Source: Sendable {
      case file(DomainFile)
      case volatile(VolatileDomain)
      case environment(EnvironmentDomain)
    }

    var file: DomainFile? { if case .file(let file) = source { file } else { nil } }

    /// The domain's values. If it is a file, it must have been loaded.
    var values: DomainValues {
      switch source {
      case .file(let file): file.values
      case .volatile(let domain): domain.values
      case .environment(let domain): domain.values
      }
    }
  }

  private struct State {
    /// All layers.
    var entries: [Entry]
    var observers = ObserverList()
  }

  private let state: Guarded<State>
  private let search: Published<Search>
  // A copy for readers, because using the global would count references.
  private let lock = StateLock.shared
  private let seed = ByteHash.seed
  private let currentEpoch = StateLock.shared.epoch.unretained
  private let currentSearch: Published<Search>.Unretained
  /// The layer where a search must look up a key first.
  private let environment: EnvironmentDomain?
  private let runtime: Runtime

  /// The domains that a search visits.
  private struct Search {
    /// The epoch of the layers.
    var epoch: UInt64 = 0
    /// Whether the files of all layers are watched or need not be.
    var isWatched = true
    /// Whether any key can be searched for at once: all files are watched, and there are no
    /// environment variables.
    var isPlain = true
    /// The layers that are not empty, in search order, retained by the entries of the list.
    var layers = UnsafeMutableBufferPointer<Published<Generations>.Unretained>(
      start: nil, count: 0)
    var names: [PreferencesLayer] = []
    var domains: [DomainValues] = []
  }

  init(_ entries: [Entry], runtime: Runtime) {
    self.runtime = runtime
    state = Guarded(State(entries: entries))
    environment =
      entries.lazy.compactMap { entry in
        if case .environment(let domain) = entry.source { domain } else { nil }
      }.first
    search = Published(Search())
    currentSearch = search.unretained
  }

  deinit { search.unsafePointer.pointee.layers.deallocate() }

  // MARK: Searching

  /// Searches all layers for a key.
  ///
  /// - Parameter body: Converts the value. It must be short and must not call code from outside the
  ///   library.
  @inline(__always)
  func read<Result>(_ key: String, _ body: (PlistValue) -> Result) -> Result? {
    key.withKeyBytes(seed: seed) { bytes in read(bytes, key, body) }
  }

  @inline(__always)
  func read<Result>(_ key: PreparedKey, _ body: (PlistValue) -> Result) -> Result? {
    withExtendedLifetime(key) { read(key.bytes, key.name, body) }
  }

  @inline(__always)
  private func read<Result>(
    _ key: KeyBytes, _ name: String, _ body: (PlistValue) -> Result
  ) -> Result? {
    while true {
      var result: Result?
      let isCurrent = lock.read { state in
        let search = state[currentSearch]
        guard search.epoch == state[currentEpoch],
          search.isPlain || isReady(for: key, isWatched: search.isWatched, state)
        else { return false }
        for layer in search.layers {
          if let place = state[layer].find(key) {
            if let value = place.pointee {
              result = body(value)
              return true
            }
          }
        }
        return true
      }
      if isCurrent { return result }
      environment?.resolve(name)
      prepare()
    }
  }

  /// Captures the values of all layers at one moment.
  func capture() -> PreferencesSnapshot {
    while true {
      // If nothing has changed, a read suffices.
      let known = lock.read { state -> PreferencesSnapshot? in
        let search = state[currentSearch]
        guard search.epoch == state[currentEpoch], search.isWatched || !runtime.watching.isDue
        else { return nil }
        var values: [CapturedValues] = []
        values.reserveCapacity(search.layers.count)
        for layer in search.layers {
          guard let captured = state[layer].captured else { return nil }
          values.append(captured)
        }
        return PreferencesSnapshot(layers: search.names, values: values, environment: environment)
      }
      if let known { return known }
      let new = StateLock.change { change -> PreferencesSnapshot? in
        let search = change[search]
        guard search.epoch == change[lock.epoch], search.isWatched || !runtime.watching.isDue
        else { return nil }
        return PreferencesSnapshot(
          layers: search.names, values: search.domains.map { $0.capture(in: change) },
          environment: environment)
      }
      if let new { return new }
      prepare()
    }
  }

  /// Whether a search for a key is possible even if not every search is.
  @inline(never)
  private func isReady(for key: KeyBytes, isWatched: Bool, _ state: borrowing StateRead) -> Bool {
    guard isWatched || !runtime.watching.isDue else { return false }
    return environment.map { state[$0.values.generations.unretained].find(key) != nil } ?? true
  }

  /// Looks up the keys in the environment.
  func resolve(_ keys: some Sequence<String>) {
    guard let environment else { return }
    for key in keys { environment.resolve(key) }
  }

  /// The layers in order, loaded.
  var entries: [Entry] {
    let entries = StateLock.change { $0[state].entries }
    Self.load(entries)
    return entries
  }

  private static func load(_ entries: [Entry]) {
    let folders = checkFolders(of: entries)
    for entry in entries { entry.load(folders) }
  }

  /// Checks the folders of files that must be read and whose folders were missing.
  private static func checkFolders(of entries: [Entry]) -> FolderStates {
    FolderStates(at: entries.compactMap(\.folderToCheck))
  }

  /// The files, loaded or not.
  var files: [DomainFile] {
    StateLock.change { $0[state].entries }.compactMap(\.file)
  }

  /// Loads all layers and determines which of them searches go through.
  private func prepare() {
    runtime.watching.restartIfNeeded()
    changeWhenLoaded { setSearch(in: $0) }
  }

  /// Makes a change once all layers are loaded and, if that is due, watched.
  private func changeWhenLoaded(_ body: (borrowing StateChange) -> Void) {
    while true {
      let entries = entries
      let isDone = StateLock.change { change in
        guard Self.areSame(entries, change[state].entries),
          !runtime.watching.isDue || entries.allSatisfy(\.isWatched)
        else { return false }
        body(change)
        return true
      }
      if isDone { return }
    }
  }

  /// Sets the layers that searches go through. All layers must be loaded.
  private func setSearch(in change: borrowing StateChange) {
    let found = change[state].entries.filter { !$0.values.skipIfEmpty(in: change) }
    let layers = UnsafeMutableBufferPointer<Published<Generations>.Unretained>.allocate(
      capacity: found.count)
    _ = layers.initialize(from: found.map(\.values.generations.unretained))
    let isWatched = change[state].entries.allSatisfy(\.isWatched)
    let old = change.publish { publication in
      exchange(
        &publication[search],
        with: Search(
          epoch: publication[lock.epoch], isWatched: isWatched,
          isPlain: isWatched && environment == nil, layers: layers, names: found.map(\.layer),
          domains: found.map(\.values)))
    }
    old.layers.deallocate()
  }

  private static func areSame(_ some: [Entry], _ others: [Entry]) -> Bool {
    some.elementsEqual(others) { $0.values === $1.values }
  }

  // MARK: Changing

  /// Replaces the layers and queues the resulting notifications.
  ///
  /// - Parameter isValid: Whether the layers are still valid at the moment of the change.
  /// - Returns: Whether they were.
  func replace(
    with entries: [Entry], _ delivery: inout Delivery,
    if isValid: (borrowing StateChange) -> Bool
  ) -> Bool {
    Self.load(entries)
    var isDone = false
    changeWhenLoaded { change in
      guard isValid(change) else { return }
      isDone = true
      var old: [ObservedValue]?
      if !change[state].observers.isEmpty {
        let keys = [change[state].entries, entries].joined().flatMap { entry in
          entry.values.values(in: change).keys
        }
        old = observedValues(of: keys, in: change)
      }
      setSubscribed(false, in: change)
      delivery.deferRelease(of: exchange(&change[state].entries, with: entries))
      setSubscribed(old != nil, in: change)
      setSearch(in: change)
      if let old {
        enqueueNotifications(
          since: old, isSuppressed: Propagation.isSuppressed, in: change, &delivery)
      }
    }
    // A file may have been found unused before observers subscribed to it.
    if isDone, hasObservers { Self.load(entries) }
    return isDone
  }

  // MARK: Observing

  /// Adds an observer of keys, nil for all keys, until the observation is canceled or released.
  ///
  /// - Parameter initial: Whether the observer is first called, before this returns, with a change
  ///   of each key from its value to the same one.
  func register(
    _ observer: Observer, keys: [String]?, initial: Bool = false
  ) -> PreferencesObservation {
    register(observer, as: .single(observer), keys, initial: initial) { change in
      (keys ?? []).map { key in
        let value = effectiveValue(forKey: key, in: change)
        return PreferencesChange(key: key, oldValue: value, newValue: value)
      }
    }
  }

  /// Adds an observer of a group of keys until the observation is canceled or released.
  ///
  /// - Parameter initial: Whether the observer is first called, before this returns, with a change
  ///   from the values of the keys to the same ones.
  func register(
    _ observer: GroupObserver, group keys: [String], initial: Bool
  ) -> PreferencesObservation {
    register(observer, as: .group(observer, keys: keys), keys, initial: initial) { change in
      let values = values(of: keys, in: change)
      return [PreferencesGroupChange(oldValues: values, newValues: values)]
    }
  }

  /// Registers an observer.
  ///
  /// - Parameters:
  ///   - keys: The keys that it observes; nil for all keys.
  ///   - current: Returns the changes for its first call.
  private func register<Change>(
    _ observer: ChangeObserver<Change>, as entry: ObserverList.Entry, _ keys: [String]?,
    initial: Bool, current: (borrowing StateChange) -> [Change]
  ) -> PreferencesObservation {
    resolve(keys ?? [])
    runtime.watching.begin()
    runtime.watching.restartIfNeeded()
    let isCalledHere = observer.isCalledHere
    var (number, first): (Int, SerialQueue.Call?) = (0, nil)
    changeWhenLoaded { change in
      number = change[state].observers.add(entry, keys: keys)
      setSubscribed(true, in: change)
      guard initial else { return }
      for current in current(change) { observer.enqueue(current, in: change) }
      // This thread makes the first calls, so they have been made when this returns.
      if isCalledHere { first = observer.begin(in: change) }
    }
    // This applies even within an update, which holds a lock: the body of the update requests these
    // calls.
    if initial, isCalledHere { Delivery.batchingNotifications { observer.make(first) } }
    if initial, !isCalledHere { observer.deliver() }
    return PreferencesObservation { [number] in
      let released = StateLock.change { change in
        change[self.state].observers.remove(number, keys: keys)
        if change[self.state].observers.isEmpty { self.setSubscribed(false, in: change) }
        return observer.cancel(in: change)
      }
      withExtendedLifetime(released) {}
    }
  }

  var hasObservers: Bool { StateLock.change { !$0[state].observers.isEmpty } }

  private func setSubscribed(_ isSubscribed: Bool, in change: borrowing StateChange) {
    for entry in change[state].entries {
      entry.values.setSubscribed(self, isSubscribed, in: change)
    }
  }

  /// The effective values of a group of keys. All layers must be loaded.
  private func values(of keys: [String], in change: borrowing StateChange) -> PreferencesGroup {
    PreferencesGroup(keys: keys, values: keys.map { effectiveValue(forKey: $0, in: change) })
  }

  /// The effective value of a key. All layers must be loaded.
  private func effectiveValue(forKey key: String, in change: borrowing StateChange) -> PlistValue? {
    key.withKeyBytes { key in
      for entry in change[state].entries {
        if let value = change[entry.values.generations].find(key)?.pointee { return value }
      }
      return nil
    }
  }
}

extension SearchList: ChangeSubscriber {
  func observedValues(
    of keys: some Collection<String>, in change: borrowing StateChange
  ) -> [ObservedValue] {
    change[state].observers.observed(among: keys).map { key in
      (key, effectiveValue(forKey: key, in: change))
    }
  }

  func enqueueNotifications(
    since old: [ObservedValue], isSuppressed: Bool, in change: borrowing StateChange,
    _ delivery: inout Delivery
  ) {
    var groups: [(observer: GroupObserver, keys: [String])] = []
    for (key, old) in old {
      let new = effectiveValue(forKey: key, in: change)
      if new == old { continue }
      change[state].observers.forEach(of: key) { entry in
        switch entry {
        case .single(let observer):
          observer.enqueue(
            PreferencesChange(key: key, oldValue: old, newValue: new), isSuppressed: isSuppressed,
            in: change)
          delivery.add(observer)
        case .group(let observer, let keys): groups.append((observer, keys))
        }
      }
    }
    if groups.isEmpty { return }
    let changed = old.filter { effectiveValue(forKey: $0.key, in: change) != $0.value }
    var seen: Set<ObjectIdentifier> = []
    for group in groups where seen.insert(ObjectIdentifier(group.observer)).inserted {
      let new = values(of: group.keys, in: change)
      group.observer.enqueue(
        PreferencesGroupChange(oldValues: new.replacing(changed), newValues: new),
        isSuppressed: isSuppressed, in: change)
      delivery.add(group.observer)
    }
  }
}

extension SearchList.Entry {
  /// Whether the watcher reports changes of the layer, or it is not a file.
  var isWatched: Bool {
    file?.isWatched ?? true
  }

  /// The folder to check before the file is read; nil if it was checked or existed.
  var folderToCheck: String? {
    guard let file, let path = file.path, file.needsFolderCheck else { return nil }
    return FolderStates.path(ofFolderOf: path)
  }

  func load(_ folders: FolderStates = FolderStates()) { file?.load(folders) }

  func value(forKey key: String) -> PlistValue? {
    load()
    return StateLock.change { values.value(forKey: key, in: $0) }
  }

  var allValues: PlistDictionary {
    switch source {
    case .file(let file): file.allValues
    case .volatile(let domain): domain.all
    case .environment(let domain): StateLock.change { domain.values.values(in: $0) }
    }
  }
}
