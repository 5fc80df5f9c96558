internal import PropertyList

/// The layers in which a store looks for a key, in order.
final class SearchList: @unchecked Sendable {
  // Sendable because all that varies is guarded by `StateLock`.

  /// A layer and what it consists of.
  struct Entry: Sendable {
    var layer: PreferencesLayer
    var source: Source

    enum Source: Sendable {
      case file(DomainFile)
      case volatile(VolatileDomain)
    }

    /// What it holds. A file has to be loaded before.
    var values: DomainValues {
      switch source {
      case .file(let file): file.values
      case .volatile(let domain): domain.values
      }
    }
  }

  /// All layers. Guarded by ``StateLock/change(_:)`` alone.
  private var all: [Entry]
  private var observers = ObserverList()
  /// What readers need. It is behind a pointer so that they need not have the exclusivity of their
  /// access checked.
  private let search: UnsafeMutablePointer<Search>
  /// The lock and the seed, of which there is one each, at hand for readers.
  private let lock = StateLock.shared
  private let seed = ByteHash.seed

  /// Where a search looks.
  private struct Search {
    /// The epoch for which it is right.
    var epoch: UInt64 = 0
    /// What the layers hold, of which the first is searched first, without those that hold nothing.
    /// They are not counted as references: `all` does that.
    var layers = UnsafeMutableBufferPointer<UnsafeMutablePointer<Generations>>(start: nil, count: 0)
  }

  init(_ entries: [Entry]) {
    all = entries
    search = .allocate(capacity: 1)
    search.initialize(to: Search())
  }

  deinit {
    search.pointee.layers.deallocate()
    search.deallocate()
  }

  // MARK: Searching

  /// Looks for a key and makes something of its value.
  ///
  /// - Parameter body: Is short, and calls nothing that is not the library's.
  /// - Returns: Nil where no layer has a value.
  @inline(__always)
  func read<Result>(_ key: String, _ body: (PlistValue) -> Result) -> Result? {
    key.withKeyBytes(seed: seed) { bytes in read(bytes, key, body) }
  }

  /// The same with a key whose hash is known.
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
      let isCurrent = lock.read {
        let search = search.pointee
        guard search.epoch == lock.epoch else { return false }
        for layer in search.layers {
          if let place = layer.pointee.find(key) {
            if let value = place.pointee {
              result = body(value)
              return true
            }
          }
        }
        return true
      }
      if isCurrent { return result }
      if let found = findUnread(name) { return found.map(body) }
      prepare()
    }
  }

  /// The layers in order, all of them loaded.
  var entries: [Entry] {
    let entries = StateLock.change { all }
    for entry in entries { entry.load() }
    return entries
  }

  /// The files among the layers, loaded or not.
  var files: [DomainFile] {
    StateLock.change { all }.compactMap { entry in
      if case .file(let file) = entry.source { file } else { nil }
    }
  }

  /// Looks for a key while a layer is a large file of which a single value is sooner found than all are
  /// made; nil where there is no such layer.
  private func findUnread(_ key: String) -> PlistValue?? {
    let entries = StateLock.change { all }
    for entry in entries { entry.open() }
    // All of one moment. To look into a file takes its time, in which nobody has to wait.
    let finds = StateLock.change { () -> [() -> PlistValue?]? in
      guard Self.areSame(entries, all) else { return nil }
      let unread = all.filter { $0.values.isSearchedUnread() }
      if unread.isEmpty { return nil }
      return all.map { entry in
        if let unread = entry.values.unread { return { unread.dictionary.value(forKey: key) } }
        let value = entry.values.value(forKey: key)
        return { value }
      }
    }
    guard let finds else { return nil }
    for find in finds {
      if let value = find() { return .some(value) }
    }
    return .some(nil)
  }

  /// Finds out in which layers there is something to look for, having them loaded.
  private func prepare() {
    FileWatching.restartIfForked()
    while true {
      let entries = entries
      let isDone = StateLock.change {
        guard Self.areSame(entries, all) else { return false }
        setSearch()
        return true
      }
      if isDone { return }
    }
  }

  /// Sets where to look. Called within ``StateLock/change(_:)`` when all layers are loaded.
  private func setSearch() {
    let found = all.map(\.values).filter { $0.isWorthALook() }.map(\.generations)
    let layers = UnsafeMutableBufferPointer<UnsafeMutablePointer<Generations>>.allocate(
      capacity: found.count)
    _ = layers.initialize(from: found)
    let old = StateLock.publish {
      exchange(&search.pointee, with: Search(epoch: lock.epoch, layers: layers))
    }
    old.layers.deallocate()
  }

  private static func areSame(_ some: [Entry], _ others: [Entry]) -> Bool {
    some.elementsEqual(others) { $0.values === $1.values }
  }

  // MARK: Changing

  /// Puts other layers in the place of these; observers hear of what they change.
  func replace(with entries: [Entry], _ delivery: inout Delivery) {
    for entry in entries { entry.load() }
    var current = self.entries
    while true {
      let isDone = StateLock.change {
        guard Self.areSame(current, all) else { return false }
        let view = observers.isEmpty ? nil : view(of: keys(in: all) + keys(in: entries))
        setObserved(false)
        delivery.discard(exchange(&all, with: entries))
        setObserved(!observers.isEmpty)
        setSearch()
        view?.enqueueChanges(isMuted: Propagation.isMuted, &delivery)
        return true
      }
      if isDone { return }
      current = self.entries
    }
  }

  private func keys(in entries: [Entry]) -> [String] {
    entries.flatMap { $0.values.values.keys }
  }

  // MARK: Observing

  /// What the observers of the list see of some keys at one moment.
  struct View {
    fileprivate var list: SearchList
    fileprivate var values: [(key: String, value: PlistValue?)]

    /// Enters into the observers' queues what has changed since. Called within the same
    /// ``StateLock/change(_:)``.
    ///
    /// - Parameter isMuted: Whether that was done within ``Propagation/mute(_:)``.
    func enqueueChanges(isMuted: Bool, _ delivery: inout Delivery) {
      for (key, old) in values {
        let new = list.value(forKey: key)
        if new == old { continue }
        list.observers.forEach(of: key) { observer in
          observer.enqueue(
            PreferencesChange(key: key, oldValue: old, newValue: new), isMuted: isMuted)
          delivery.add(observer)
        }
      }
    }
  }

  /// What the observers see now. Called within ``StateLock/change(_:)``.
  func view(of keys: some Collection<String>) -> View {
    View(
      list: self,
      values: observers.observed(among: keys).map { (key: $0, value: value(forKey: $0)) })
  }

  /// The value of a key. Called within ``StateLock/change(_:)`` when all layers are loaded.
  private func value(forKey key: String) -> PlistValue? {
    key.withKeyBytes { key in
      for entry in all {
        if let value = entry.values.generations.pointee.find(key)?.pointee { return value }
      }
      return nil
    }
  }

  /// Has an observer hear of changes of keys, nil for all keys.
  ///
  /// - Parameter initial: Whether it first hears of each of the keys as a change from its value to the
  ///   same one, before this returns.
  func add(_ observer: Observer, keys: [String]?, initial: Bool) {
    FileWatching.restartIfForked()
    while true {
      let entries = entries
      let isDone = StateLock.change {
        guard Self.areSame(entries, all) else { return false }
        observers.add(observer, keys: keys)
        setObserved(true)
        // By nobody else, so that it has been called when this returns.
        if initial { _ = observer.beginCalling() }
        for key in initial ? keys ?? [] : [] {
          let value = value(forKey: key)
          observer.enqueue(PreferencesChange(key: key, oldValue: value, newValue: value))
        }
        return true
      }
      if isDone { break }
    }
    // In an update, too, though that holds a lock: its body asks for this call.
    if initial { Delivery.collecting { observer.call() } }
  }

  /// Ends that.
  func remove(_ observer: Observer, keys: [String]?) {
    let released = StateLock.change {
      observers.remove(observer, keys: keys)
      if observers.isEmpty { setObserved(false) }
      return observer.cancel()
    }
    withExtendedLifetime(released) {}
  }

  private func setObserved(_ isObserved: Bool) {
    for entry in all { entry.values.setObserved(by: self, isObserved) }
  }
}

extension SearchList.Entry {
  func load() {
    if case .file(let file) = source { file.load() }
  }

  func open() {
    if case .file(let file) = source { file.open() }
  }

  /// The value of a key.
  func value(forKey key: String) -> PlistValue? {
    load()
    return StateLock.change { values.value(forKey: key) }
  }

  /// All values.
  var allValues: PlistDictionary {
    switch source {
    case .file(let file): file.allValues
    case .volatile(let domain): domain.all
    }
  }
}
