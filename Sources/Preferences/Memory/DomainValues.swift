internal import PropertyList

/// The values of a domain in the generations in which they came, as searches see them.
struct Generations: ~Copyable {
  /// What was saved. An entry without a value is a key that was removed.
  fileprivate(set) var base = KeyTable()
  /// Changes that are on their way to the file.
  fileprivate(set) var saving = Changes()
  /// Changes that came later.
  fileprivate(set) var pending = Changes()

  /// The value of a key; it is good until something changes.
  @inline(__always)
  func find(_ key: KeyBytes) -> UnsafePointer<PlistValue?>? {
    if let place = pending.operations.find(key) { return place }
    if pending.replacesAll { return nil }
    if let place = saving.operations.find(key) { return place }
    if saving.replacesAll { return nil }
    return base.find(key)
  }
}

/// What a domain holds in memory: what was saved, under what is being saved, under what has been set
/// since.
///
/// It is read within ``StateLock/read(_:)`` or ``StateLock/change(_:)``, and changed within the latter,
/// what readers see of it through ``alter(_:_:_:)``.
final class DomainValues: @unchecked Sendable {
  // Sendable because all of it is guarded by `StateLock`.

  /// What readers see. It is behind a pointer so that they need not count references, nor have the
  /// exclusivity of their access checked.
  let generations: UnsafeMutablePointer<Generations>
  /// What was saved, as a dictionary in the order of the document.
  private(set) var dictionary = PlistDictionary()

  /// A large file that holds what was saved, as long as not all of its values have been made. Until then
  /// there is nothing in ``dictionary``, there are no changes, and no observers.
  private(set) var unread: DomainContents.Unread?
  /// How many values have been looked for in it.
  private var unreadLookups = 0

  /// Whether there is a store that does not look here because there was nothing.
  private var isSkipped = false
  /// The search lists whose observers may have to hear of changes.
  private var observed: [ObjectIdentifier: SearchList] = [:]

  init(_ values: PlistDictionary = PlistDictionary()) {
    dictionary = values
    generations = .allocate(capacity: 1)
    var new = Generations()
    new.base = KeyTable(values)
    generations.initialize(to: new)
  }

  deinit {
    generations.deinitialize(count: 1)
    generations.deallocate()
  }

  // MARK: Reading

  /// The value of a key.
  func value(forKey key: String) -> PlistValue? {
    if let unread { return unread.dictionary.value(forKey: key) }
    return key.withKeyBytes { generations.pointee.find($0)?.pointee }
  }

  /// Whether a single value is better looked for in the file than all of them made. After a few it is not.
  func isSearchedUnread() -> Bool {
    guard unread != nil, unreadLookups < Self.unreadLookupLimit else { return false }
    unreadLookups += 1
    return true
  }

  private static let unreadLookupLimit = 4

  /// Whether the next look here can find something. If not, it is noted that nobody looks.
  func isWorthALook() -> Bool {
    if generations.pointee.base.count > 0 || hasChanges { return true }
    isSkipped = true
    return false
  }

  /// All values.
  var values: PlistDictionary {
    generations.pointee.pending.applied(to: generations.pointee.saving.applied(to: dictionary))
  }

  /// Whether there are changes that are not saved.
  var hasChanges: Bool { isSaving || !generations.pointee.pending.isEmpty }

  /// Whether there are changes that are on their way to the file.
  var isSaving: Bool { !generations.pointee.saving.isEmpty }

  // MARK: Changing

  /// Leaves it to look-ups to make values of a file, while there is nothing else.
  func install(unread document: DomainContents.Unread) {
    unread = document
  }

  /// Makes changes visible, and has observers hear of what they see of them.
  ///
  /// - Parameters:
  ///   - keys: The keys whose values may become others.
  ///   - isMuted: Whether that is done within ``Propagation/mute(_:)``.
  ///   - delivery: What is to be delivered when no lock is held any more.
  private func alter(
    _ keys: some Collection<String>, isMuted: Bool, _ delivery: inout Delivery, _ body: () -> Void
  ) {
    let views = observed.isEmpty ? [] : observed.values.map { $0.view(of: keys) }
    StateLock.publish {
      body()
      if isSkipped {
        isSkipped = false
        StateLock.beginEpoch()
      }
    }
    for view in views { view.enqueueChanges(isMuted: isMuted, &delivery) }
  }

  /// Sets or removes a value.
  ///
  /// - Returns: The value that the domain had.
  func set(
    _ value: PlistValue?, forKey key: String, _ delivery: inout Delivery
  ) -> PlistValue? {
    key.withKeyBytes { bytes in
      let old = generations.pointee.find(bytes)?.pointee
      alter(CollectionOfOne(key), isMuted: Propagation.isMuted, &delivery) {
        // What was pending is kept by `old`.
        _ = generations.pointee.pending.operations.set(value, forKey: bytes)
      }
      return old
    }
  }

  /// Puts other values in the place of all that there are, also of those that the file may get from
  /// others until that is saved.
  ///
  /// - Returns: Whether the values are others now.
  func replaceAll(with values: PlistDictionary, _ delivery: inout Delivery) -> Bool {
    let old = self.values
    let keys = observed.isEmpty ? [] : old.keysChanged(to: values)
    var new = Changes()
    new.replacesAll = true
    new.operations = KeyTable(values)
    alter(keys, isMuted: Propagation.isMuted, &delivery) {
      swap(&generations.pointee.pending, &new)
    }
    delivery.discard(new)
    return old != values
  }

  /// Puts other values in the place of all that were saved.
  ///
  /// - Parameters:
  ///   - new: The values.
  ///   - changed: The keys by which they differ from ``dictionary``; nil where that is empty.
  ///   - observed: The keys of which observers may have to hear besides.
  ///   - endsSaving: Whether they include the changes that were on their way.
  ///   - isMuted: Whether they were set within ``Propagation/mute(_:)``.
  func install(
    _ new: PlistDictionary, changed: [String]?, observed keys: [String] = [],
    endsSaving: Bool = false, isMuted: Bool = false, _ delivery: inout Delivery
  ) {
    delivery.discard(exchange(&unread, with: nil))
    delivery.discard(exchange(&dictionary, with: new))
    let all = observed.isEmpty ? [] : (changed ?? Array(new.keys)) + keys
    updateBase(
      changed: changed, observed: all, endsSaving: endsSaving, isMuted: isMuted, &delivery)
  }

  /// Adds values to those that were saved, replacing those of the same keys.
  func merge(_ new: PlistDictionary, _ delivery: inout Delivery) {
    var changed: [String] = []
    var old: [PlistValue] = []
    for (key, value) in new where dictionary[key] != value {
      changed.append(key)
      if let value = dictionary.updateValue(value, forKey: key) { old.append(value) }
    }
    if changed.isEmpty { return }
    delivery.discard(old)
    updateBase(
      changed: changed, observed: changed, endsSaving: false, isMuted: Propagation.isMuted,
      &delivery)
  }

  /// Makes ``dictionary`` visible.
  ///
  /// - Parameter changed: The keys by which it differs from what is visible; nil for all.
  private func updateBase(
    changed: [String]?, observed: [String], endsSaving: Bool, isMuted: Bool,
    _ delivery: inout Delivery
  ) {
    var saved = Changes()
    var table = KeyTable()
    // Few keys are changed in place, while readers wait; many in a new table, while they do not.
    let few = changed.flatMap { keys in
      keys.count <= Self.changesInPlace && generations.pointee.base.hasRoom(for: keys.count)
        ? keys.map { (key: $0, value: dictionary[$0]) } : nil
    }
    if few == nil { table = KeyTable(dictionary) }
    // Not all of them were in the dictionary, too: there an equal value may have taken the place of one.
    var replaced: [PlistValue?] = []
    replaced.reserveCapacity(few?.count ?? 0)
    alter(observed, isMuted: isMuted, &delivery) {
      if let few {
        for (key, value) in few {
          key.withKeyBytes { replaced.append(generations.pointee.base.set(value, forKey: $0)) }
        }
      } else {
        swap(&generations.pointee.base, &table)
      }
      if endsSaving { swap(&generations.pointee.saving, &saved) }
    }
    delivery.discard(replaced)
    delivery.discard(table)
    delivery.discard(saved)
  }

  private static let changesInPlace = 64

  /// Takes the changes that there are to be saved, unless such that failed are to be saved before.
  func beginSaving() {
    guard !isSaving, !generations.pointee.pending.isEmpty else { return }
    StateLock.publish { swap(&generations.pointee.saving, &generations.pointee.pending) }
  }

  // MARK: Observing

  /// Whether a search list's observers may have to hear of changes.
  func setObserved(by list: SearchList, _ isObserved: Bool) {
    observed[ObjectIdentifier(list)] = isObserved ? list : nil
  }
}

extension PlistDictionary {
  /// The keys whose values are others in another dictionary, or that only one of both has.
  func keysChanged(to other: PlistDictionary) -> [String] {
    var keys: [String] = []
    var isSameOrder = true
    for (position, (key, value)) in enumerated() {
      // Mostly both have the same keys in the same order, and nothing has to be looked up.
      if isSameOrder, position < other.count, other[position].key.hasSameBytes(as: key) {
        if other[position].value != value { keys.append(key) }
      } else {
        isSameOrder = false
        if other[key] != value { keys.append(key) }
      }
    }
    for (key, _) in isSameOrder ? other[Swift.min(count, other.count)...] : other[...]
    where self[key] == nil {
      keys.append(key)
    }
    return keys
  }
}
