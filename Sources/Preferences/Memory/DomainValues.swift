internal import PropertyList
internal import Threading

/// The values of a domain in memory: committed values, under the changes that are being committed,
/// under the changes made since.
final class DomainValues: Sendable {
  /// The values that readers see.
  let generations: Published<Generations>
  private let contents: Guarded<Contents>

  private struct Contents {
    /// The committed values as a dictionary, in the order of the document.
    var dictionary: PlistDictionary
    /// A large file that holds the committed values, as long as not all of them have been decoded.
    /// Until then `dictionary` is empty, and there are neither changes nor observers.
    var lazy: DomainContents.Lazy?
    /// Changes inherited from a parent process, the earliest first. Readers see them as if they
    /// were committed.
    var inherited: [InheritedChanges] = []
    /// The number of values looked up in the lazy file.
    var lazyLookupCount = 0
    /// Whether some search skips this domain because it was empty.
    var isSkipped = false
    /// The search lists whose observers may have to be notified of changes.
    var subscribers: [ObjectIdentifier: any ChangeSubscriber] = [:]
  }

  init(_ values: PlistDictionary = PlistDictionary()) {
    var initial = Generations()
    initial.base = KeyTable(values)
    generations = Published(initial)
    contents = Guarded(Contents(dictionary: values))
  }

  // MARK: Reading

  /// The committed values, in the order of the document; empty while they are lazy.
  func dictionary(in change: borrowing StateChange) -> PlistDictionary {
    change[contents].dictionary
  }

  /// The large file whose values have not all been decoded; nil otherwise.
  func lazy(in change: borrowing StateChange) -> DomainContents.Lazy? { change[contents].lazy }

  /// The value of a key, committed or not.
  func value(forKey key: String, in change: borrowing StateChange) -> PlistValue? {
    if let lazy = change[contents].lazy { return lazy.dictionary.value(forKey: key) }
    return key.withKeyBytes { change[generations].find($0)?.pointee }
  }

  /// Counts a look-up in the lazy file.
  ///
  /// - Returns: False if there is none, or if so many values have been looked up that decoding all
  ///   of them costs less than going on.
  func countLazyLookup(in change: borrowing StateChange) -> Bool {
    guard change[contents].lazy != nil, change[contents].lazyLookupCount < Self.lazyLookupLimit
    else { return false }
    change[contents].lazyLookupCount += 1
    return true
  }

  private static let lazyLookupLimit = 4

  /// Notes that searches may skip this domain, if it is empty: its next change then begins a new
  /// epoch.
  ///
  /// - Returns: Whether it is empty.
  func skipIfEmpty(in change: borrowing StateChange) -> Bool {
    if change[generations].base.count > 0 || hasChanges(in: change) { return false }
    change[contents].isSkipped = true
    return true
  }

  /// All values, committed or not.
  func values(in change: borrowing StateChange) -> PlistDictionary {
    let saving = change[generations].saving.applied(to: visibleDictionary(in: change))
    return change[generations].pending.applied(to: saving)
  }

  /// The committed values, and the inherited ones that replace them.
  private func visibleDictionary(in change: borrowing StateChange) -> PlistDictionary {
    var values = change[contents].dictionary
    for inherited in change[contents].inherited { inherited.apply(to: &values) }
    return values
  }

  /// Whether there are changes that have not been committed.
  func hasChanges(in change: borrowing StateChange) -> Bool {
    isSaving(in: change) || !change[generations].pending.isEmpty
  }

  /// Whether there are changes that are being committed.
  func isSaving(in change: borrowing StateChange) -> Bool { !change[generations].saving.isEmpty }

  /// Captures all values, committed or not, for snapshots. Values that are not committed are copied.
  func capture(in change: borrowing StateChange) -> CapturedValues {
    if let known = change[generations].captured { return known }
    let new = CapturedValues(
      visibleDictionary(in: change), saving: change[generations].saving,
      pending: change[generations].pending)
    change.publish { $0[generations].captured = new }
    return new
  }

  // MARK: Changing

  /// Leaves the values of a file to be decoded when they are looked up. There must be nothing else
  /// yet.
  func install(lazy: DomainContents.Lazy, in change: borrowing StateChange) {
    change[contents].lazy = lazy
  }

  /// Makes a change visible and queues the notifications of what observers see of it.
  ///
  /// - Parameters:
  ///   - keys: The keys whose values may change.
  ///   - isSuppressed: Whether the change is made within ``Propagation/suppressNotifications(_:)``.
  private func publish(
    _ keys: some Collection<String>, isSuppressed: Bool, in change: borrowing StateChange,
    _ delivery: inout Delivery, _ body: (borrowing StatePublication) -> Void
  ) {
    let subscribers = Array(change[contents].subscribers.values)
    let old = subscribers.map { $0.observedValues(of: keys, in: change) }
    let wasSkipped = exchange(&change[contents].isSkipped, with: false)
    let captured = change.publish { publication in
      body(publication)
      if wasSkipped { publication.beginEpoch() }
      return exchange(&publication[generations].captured, with: nil)
    }
    if let captured { delivery.deferRelease(of: captured) }
    for (subscriber, old) in zip(subscribers, old) {
      subscriber.enqueueNotifications(
        since: old, isSuppressed: isSuppressed, in: change, &delivery)
    }
  }

  /// Sets or removes a value.
  ///
  /// - Returns: The previous value of the domain.
  func set(
    _ value: PlistValue?, forKey key: String, in change: borrowing StateChange,
    _ delivery: inout Delivery
  ) -> PlistValue? {
    key.withKeyBytes { bytes in
      let old = change[generations].find(bytes)?.pointee
      publish(
        CollectionOfOne(key), isSuppressed: Propagation.isSuppressed, in: change, &delivery
      ) { publication in
        // `old` retains a pending value that this replaces.
        _ = publication[generations].pending.operations.set(value, forKey: bytes)
      }
      return old
    }
  }

  /// Sets and removes several values at one moment.
  ///
  /// - Returns: The previous values of the domain.
  func set(
    _ new: [ObservedValue], in change: borrowing StateChange, _ delivery: inout Delivery
  ) -> [PlistValue?] {
    let old = new.map { key, _ in
      key.withKeyBytes { change[generations].find($0)?.pointee }
    }
    // Many are added to a copy, while readers go on.
    let isLarge = new.count > Self.inPlaceLimit
    var copy = isLarge ? Changes(change[generations].pending) : Changes()
    if isLarge { copy.set(new) }
    publish(
      new.map(\.key), isSuppressed: Propagation.isSuppressed, in: change, &delivery
    ) { publication in
      // `old` retains the pending values that these replace.
      if isLarge {
        swap(&publication[generations].pending, &copy)
      } else {
        publication[generations].pending.set(new)
      }
    }
    delivery.deferRelease(of: copy)
    return old
  }

  /// Replaces all values, including those that other processes add to the file until this is
  /// committed.
  ///
  /// - Returns: Whether the values have changed.
  func replaceAll(
    with values: PlistDictionary, in change: borrowing StateChange, _ delivery: inout Delivery
  ) -> Bool {
    let old = self.values(in: change)
    let keys = change[contents].subscribers.isEmpty ? [] : old.keysChanged(to: values)
    var new = Changes()
    new.replacesAll = true
    new.operations = KeyTable(values)
    publish(keys, isSuppressed: Propagation.isSuppressed, in: change, &delivery) { publication in
      swap(&publication[generations].pending, &new)
    }
    delivery.deferRelease(of: new)
    return old != values
  }

  /// Replaces the committed values.
  ///
  /// - Parameters:
  ///   - new: The values.
  ///   - changed: The keys whose values differ from ``dictionary(in:)``; nil if that is empty.
  ///   - keys: Other keys whose effective values may change.
  ///   - endsSaving: Whether the values include the changes that were being committed.
  ///   - inherited: The inherited changes that are left; nil for all.
  ///   - isSuppressed: Whether they were set within ``Propagation/suppressNotifications(_:)``.
  func install(
    _ new: PlistDictionary, changed: [String]?, observed keys: [String] = [],
    endsSaving: Bool = false, leaving inherited: [InheritedChanges]? = nil,
    isSuppressed: Bool = false, in change: borrowing StateChange, _ delivery: inout Delivery
  ) {
    var changed = changed
    if let inherited, hasInherited(in: change) {
      let old = exchange(&change[contents].inherited, with: inherited)
      changed?.append(contentsOf: old.flatMap { $0.operations.map(\.key) })
      delivery.deferRelease(of: old)
    }
    delivery.deferRelease(of: exchange(&change[contents].lazy, with: nil))
    delivery.deferRelease(of: exchange(&change[contents].dictionary, with: new))
    let observed =
      change[contents].subscribers.isEmpty ? [] : (changed ?? Array(new.keys)) + keys
    updateBase(
      changed: changed, observed: observed, endsSaving: endsSaving, isSuppressed: isSuppressed,
      in: change, &delivery)
  }

  /// Adds values to the committed ones, replacing those of the same keys.
  func merge(
    _ new: PlistDictionary, in change: borrowing StateChange, _ delivery: inout Delivery
  ) {
    var changed: [String] = []
    var old: [PlistValue] = []
    for (key, value) in new where change[contents].dictionary[key] != value {
      changed.append(key)
      if let value = change[contents].dictionary.updateValue(value, forKey: key) {
        old.append(value)
      }
    }
    if changed.isEmpty { return }
    delivery.deferRelease(of: old)
    updateBase(
      changed: changed, observed: changed, endsSaving: false,
      isSuppressed: Propagation.isSuppressed, in: change, &delivery)
  }

  /// Publishes the committed values of the dictionary.
  ///
  /// - Parameter changed: The keys whose values differ from the published ones; nil for all.
  private func updateBase(
    changed: [String]?, observed: [String], endsSaving: Bool, isSuppressed: Bool,
    in change: borrowing StateChange, _ delivery: inout Delivery
  ) {
    var saved = Changes()
    var table = KeyTable()
    // A few keys are changed in place, while readers wait; many in a new table, while readers go
    // on.
    var few: [ObservedValue]?
    if let changed, changed.count <= Self.inPlaceLimit,
      change[generations].base.hasRoom(for: changed.count)
    {
      let values = visibleDictionary(in: change)
      few = changed.map { (key: $0, value: values[$0]) }
    } else {
      table = KeyTable(visibleDictionary(in: change))
    }
    // The values that are replaced are released later; an equal one in the old dictionary need not
    // be the same object.
    var replaced: [PlistValue?] = []
    replaced.reserveCapacity(few?.count ?? 0)
    publish(observed, isSuppressed: isSuppressed, in: change, &delivery) { publication in
      if let few {
        for (key, value) in few {
          key.withKeyBytes { key in
            replaced.append(publication[generations].base.set(value, forKey: key))
          }
        }
      } else {
        swap(&publication[generations].base, &table)
      }
      if endsSaving { swap(&publication[generations].saving, &saved) }
    }
    delivery.deferRelease(of: replaced)
    delivery.deferRelease(of: table)
    delivery.deferRelease(of: saved)
  }

  private static let inPlaceLimit = 64

  // MARK: Committing

  /// Adds the pending changes to those that are being committed. There are some of the latter if an
  /// earlier commit failed; a pending change of the same key takes the place of theirs.
  ///
  /// - Returns: Whether there were any pending changes.
  func beginSaving(in change: borrowing StateChange, _ delivery: inout Delivery) -> Bool {
    if change[generations].pending.isEmpty { return false }
    var rest = Changes()
    var replaced: [PlistValue?] = []
    change.publish { publication in
      swap(&publication[generations].pending, &rest)
      if rest.replacesAll || publication[generations].saving.isEmpty {
        swap(&publication[generations].saving, &rest)
      } else {
        replaced = publication[generations].saving.add(rest)
      }
    }
    delivery.deferRelease(of: rest)
    delivery.deferRelease(of: replaced)
    return true
  }

  /// The values with the changes that are being committed. Only the thread that has the turn begins
  /// and ends saving, so it may read those changes without the state lock.
  func applyingSavingChanges(to values: PlistDictionary, _ turn: borrowing Turn)
    -> PlistDictionary
  {
    generations.unsafePointer.pointee.saving.applied(to: values)
  }

  /// The keys of the changes that are being committed, and whether these remove all other keys.
  func savingKeys(_ turn: borrowing Turn) -> (keys: [String], replacesAll: Bool) {
    let place = generations.unsafePointer
    return (place.pointee.saving.keys, place.pointee.saving.replacesAll)
  }

  // MARK: Forks

  /// The changes inherited from a parent process.
  func inherited(in change: borrowing StateChange) -> [InheritedChanges] {
    change[contents].inherited
  }

  /// Whether there are any.
  func hasInherited(in change: borrowing StateChange) -> Bool {
    !change[contents].inherited.isEmpty
  }

  /// Makes all uncommitted changes inherited ones, in a forked child. Readers see the same values
  /// as before.
  ///
  /// - Parameters:
  ///   - saving: The origin of those that were being committed.
  ///   - pending: The origin of those made since.
  func inheritChanges(
    saving: some InheritedChanges.Origin, pending: some InheritedChanges.Origin,
    in change: borrowing StateChange, _ delivery: inout Delivery
  ) {
    let found = change[contents].dictionary
    if isSaving(in: change) {
      let changes = InheritedChanges(change[generations].saving, found: found, origin: saving)
      change[contents].inherited.append(changes)
    }
    if !change[generations].pending.isEmpty {
      let changes = InheritedChanges(change[generations].pending, found: found, origin: pending)
      change[contents].inherited.append(changes)
    }
    var table = KeyTable(visibleDictionary(in: change))
    var saved = Changes()
    var unsaved = Changes()
    change.publish { publication in
      swap(&publication[generations].base, &table)
      swap(&publication[generations].saving, &saved)
      swap(&publication[generations].pending, &unsaved)
    }
    delivery.deferRelease(of: table)
    delivery.deferRelease(of: saved)
    delivery.deferRelease(of: unsaved)
  }

  // MARK: Observing

  /// Whether there may be observers to notify of changes.
  func hasSubscribers(in change: borrowing StateChange) -> Bool {
    !change[contents].subscribers.isEmpty
  }

  /// Adds or removes a search list whose observers may have to be notified of changes.
  func setSubscribed(
    _ subscriber: any ChangeSubscriber, _ isSubscribed: Bool, in change: borrowing StateChange
  ) {
    change[contents].subscribers[ObjectIdentifier(subscriber)] = isSubscribed ? subscriber : nil
  }
}
