internal import PropertyList
internal import Threading

/// A domain's values in memory: the committed values, overlaid with the changes being committed,
/// overlaid with the changes made since.
final class DomainValues: Sendable {
  /// The values that readers see.
  let generations: Published<Generations>
  private let contents: Guarded<Contents>

  private struct Contents {
    /// The committed values, in document order.
    var dictionary: PlistDictionary
    /// Whether a search skips this domain because it was empty.
    var isSkipped = false
    /// The search lists with observers to notify.
    var subscribers: [ObjectIdentifier: any ChangeSubscriber] = [:]
  }

  init(_ values: PlistDictionary = PlistDictionary()) {
    var initial = Generations()
    initial.base = KeyTable(values)
    generations = Published(initial)
    contents = Guarded(Contents(dictionary: values))
  }

  // MARK: Reading

  /// The committed values, in document order.
  func dictionary(in change: borrowing StateChange) -> PlistDictionary {
    change[contents].dictionary
  }

  /// The value of a key, committed or not.
  func value(forKey key: String, in change: borrowing StateChange) -> PlistValue? {
    key.withKeyBytes { change[generations].find($0)?.pointee }
  }

  /// Lets searches skip this domain if it is empty; its next change then begins a new epoch.
  ///
  /// - Returns: Whether it is empty.
  func skipIfEmpty(in change: borrowing StateChange) -> Bool {
    if change[generations].base.count > 0 || hasChanges(in: change) { return false }
    change[contents].isSkipped = true
    return true
  }

  /// All values, committed or not.
  func values(in change: borrowing StateChange) -> PlistDictionary {
    let saving = change[generations].saving.applied(to: change[contents].dictionary)
    return change[generations].pending.applied(to: saving)
  }

  func hasChanges(in change: borrowing StateChange) -> Bool {
    isSaving(in: change) || !change[generations].pending.isEmpty
  }

  /// Whether changes are being committed.
  func isSaving(in change: borrowing StateChange) -> Bool { !change[generations].saving.isEmpty }

  /// Captures all values for snapshots. Only uncommitted values are copied.
  func capture(in change: borrowing StateChange) -> CapturedValues {
    if let known = change[generations].captured { return known }
    let new = CapturedValues(
      change[contents].dictionary, saving: change[generations].saving,
      pending: change[generations].pending)
    change.publish { $0[generations].captured = new }
    return new
  }

  /// Whether captured values are still the domain's.
  func isCurrent(_ captured: CapturedValues, in change: borrowing StateChange) -> Bool {
    change[generations].captured === captured
  }

  // MARK: Changing

  /// Makes a change visible and queues the notifications for its observers.
  ///
  /// - Parameter keys: The keys whose values may change.
  private func publish(
    _ keys: some Collection<String>, isSuppressed: Bool = Propagation.isSuppressed,
    in change: borrowing StateChange, _ delivery: inout Delivery,
    _ body: (borrowing StatePublication) -> Void
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
      subscriber.enqueueNotifications(since: old, isSuppressed: isSuppressed, in: change, &delivery)
    }
  }

  /// Sets or removes a value and returns the domain's previous one.
  func set(
    _ value: PlistValue?, forKey key: String, in change: borrowing StateChange,
    _ delivery: inout Delivery
  ) -> PlistValue? {
    key.withKeyBytes { bytes in
      let old = change[generations].find(bytes)?.pointee
      publish(CollectionOfOne(key), in: change, &delivery) { publication in
        // `old` retains a pending value that this replaces.
        _ = publication[generations].pending.operations.set(value, forKey: bytes)
      }
      return old
    }
  }

  /// Sets and removes several values at one moment and returns the domain's previous ones.
  func set(
    _ new: [ObservedValue], in change: borrowing StateChange, _ delivery: inout Delivery
  ) -> [PlistValue?] {
    let old = new.map { key, _ in key.withKeyBytes { change[generations].find($0)?.pointee } }
    // Many values are added to a copy, so that readers do not wait, unless the copy would be much
    // larger than the values.
    let isLarge =
      new.count > Self.inPlaceLimit && new.count * 8 >= change[generations].pending.operations.count
    var copy = isLarge ? Changes(change[generations].pending) : Changes()
    if isLarge { copy.set(new) }
    publish(new.map(\.key), in: change, &delivery) { publication in
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

  /// Replaces all values, including those that other processes add to the file before this is
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
    publish(keys, in: change, &delivery) { publication in
      swap(&publication[generations].pending, &new)
    }
    delivery.deferRelease(of: new)
    return old != values
  }

  /// Replaces the committed values.
  ///
  /// - Parameters:
  ///   - changed: The keys whose values differ from ``dictionary(in:)``; nil if that is empty.
  ///   - keys: Other keys whose effective values may change.
  ///   - endsSaving: Whether the values include the changes that were being committed.
  func install(
    _ new: PlistDictionary, changed: [String]?, observed keys: [String] = [],
    endsSaving: Bool = false, isSuppressed: Bool = false, in change: borrowing StateChange,
    _ delivery: inout Delivery
  ) {
    delivery.deferRelease(of: exchange(&change[contents].dictionary, with: new))
    let observed =
      change[contents].subscribers.isEmpty ? [] : (changed ?? Array(new.keys)) + keys
    updateBase(
      changed: changed, observed: observed, endsSaving: endsSaving, isSuppressed: isSuppressed,
      in: change, &delivery)
  }

  /// Adds values to the committed ones, replacing existing values of the same keys.
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
    updateBase(changed: changed, observed: changed, in: change, &delivery)
  }

  /// Publishes the dictionary's values.
  ///
  /// - Parameter changed: The keys whose values differ from the published ones; nil for all.
  private func updateBase(
    changed: [String]?, observed: [String], endsSaving: Bool = false,
    isSuppressed: Bool = Propagation.isSuppressed, in change: borrowing StateChange,
    _ delivery: inout Delivery
  ) {
    var saved = Changes()
    var table = KeyTable()
    // A few keys are changed in place, while readers wait. Many are changed in a new table, without
    // waiting.
    var few: [ObservedValue]?
    if let changed, changed.count <= Self.inPlaceLimit,
      change[generations].base.hasRoom(for: changed.count)
    {
      few = changed.map { (key: $0, value: change[contents].dictionary[$0]) }
    } else {
      table = KeyTable(change[contents].dictionary)
    }
    // Replaced values are released later: an equal value in the old dictionary need not be the same
    // object.
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

  /// Adds the pending changes to the changes being committed. Some of these are left if an earlier
  /// commit failed. A pending change replaces an earlier change of the same key.
  func beginSaving(in change: borrowing StateChange, _ delivery: inout Delivery) {
    if change[generations].pending.isEmpty { return }
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
  }

  /// Merges the changes being committed into contents. Only the thread that has the turn begins and
  /// ends saving, so it may read those changes without the state lock.
  func merge(
    into contents: DomainContents, isKnown: Bool, _ turn: borrowing Turn
  ) -> Merge {
    Merge(generations.unsafePointer.pointee.saving, into: contents, isKnown: isKnown)
  }

  /// The keys being committed, and whether all other keys are removed.
  func savingKeys(_ turn: borrowing Turn) -> (keys: [String], replacesAll: Bool) {
    let place = generations.unsafePointer
    return (place.pointee.saving.keys, place.pointee.saving.replacesAll)
  }

  /// In a forked child, treats all values as committed until the file is read: uncommitted changes
  /// belong to the parent. Readers see the same values as before.
  func dropChanges(in change: borrowing StateChange, _ delivery: inout Delivery) {
    if !hasChanges(in: change) { return }
    let all = values(in: change)
    delivery.deferRelease(of: exchange(&change[contents].dictionary, with: all))
    var base = KeyTable(all)
    var saving = Changes()
    var pending = Changes()
    change.publish { publication in
      swap(&publication[generations].base, &base)
      swap(&publication[generations].saving, &saving)
      swap(&publication[generations].pending, &pending)
    }
    delivery.deferRelease(of: base)
    delivery.deferRelease(of: saving)
    delivery.deferRelease(of: pending)
  }

  // MARK: Observing

  func hasSubscribers(in change: borrowing StateChange) -> Bool {
    !change[contents].subscribers.isEmpty
  }

  func setSubscribed(
    _ subscriber: any ChangeSubscriber, _ isSubscribed: Bool, in change: borrowing StateChange
  ) {
    change[contents].subscribers[ObjectIdentifier(subscriber)] = isSubscribed ? subscriber : nil
  }
}

/// An object with observers to notify when the values of a domain change.
protocol ChangeSubscriber: AnyObject, Sendable {
  /// The effective values, over all layers, of the keys that have observers.
  func observedValues(
    of keys: some Collection<String>, in change: borrowing StateChange
  ) -> [ObservedValue]

  /// Queues a notification for each observer of a key whose effective value has changed.
  ///
  /// - Parameters:
  ///   - old: The effective values before the change.
  ///   - isSuppressed: Whether the change was made in ``Propagation/suppressNotifications(_:)``.
  func enqueueNotifications(
    since old: [ObservedValue], isSuppressed: Bool, in change: borrowing StateChange,
    _ delivery: inout Delivery)
}

/// A key and its effective value, if any layer has one.
typealias ObservedValue = (key: String, value: PlistValue?)
