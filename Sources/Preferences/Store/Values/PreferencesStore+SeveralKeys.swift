public import PropertyList

/// Several keys at one moment.
extension PreferencesStore {
  /// Captures the values of all layers at this moment, so that several keys read from it are
  /// consistent.
  ///
  /// Only unsaved values are copied; if nothing has changed since the last snapshot, nothing is
  /// copied.
  public func snapshot() -> PreferencesSnapshot { searchList.capture() }

  /// Sets and removes several values in the store's own domain at one moment. A key to set is not
  /// removed.
  ///
  /// Observers and readers of a ``snapshot()`` see all of the change or none of it. It is saved in
  /// one commit, so the same is true for other processes. Getters that are called one after the
  /// other may see one key before the change and the next one after it.
  ///
  /// ```swift
  /// store.set(["host": "example.org", "port": 443], removing: ["proxy"])
  /// ```
  ///
  /// A value that preferences cannot hold is a programming error, as for
  /// ``set(_:forKey:)-(PlistValue,_)``; ``setAny(_:removing:)`` throws instead.
  ///
  /// If the store has a check (``PreferencesStore/Options/check``), the check receives all values
  /// of the domain with the changes. If it throws, the change is refused.
  public func set(_ values: PlistDictionary, removing keys: [String] = []) {
    ProgrammingError.stopping(typeOf: { values[$0] }) { () throws(PreferencesError) in
      try values.checkStorable()
    }
    let new = Self.changes(setting: values, removing: keys)
    do throws(PreferencesError) { try put(new) } catch {
      refuse(error, ofKey: new.count == 1 ? new[0].key : nil)
    }
  }

  /// Sets and removes several values of types that preferences can hold at one moment, as
  /// ``set(_:removing:)`` does.
  ///
  /// - Throws: The errors of ``setAny(_:forKey:)``; nothing has changed then.
  public func setAny(
    _ values: [String: Any], removing keys: [String] = []
  ) throws(PreferencesError) {
    try put(Self.changes(setting: PlistDictionary(storing: values), removing: keys))
  }

  private static func changes(
    setting values: PlistDictionary, removing keys: [String]
  ) -> [ObservedValue] {
    let removed = keys.uniqueByBytes.filter { values[$0] == nil }.map { ($0, PlistValue?.none) }
    return removed + values.map { ($0.key, .some($0.value)) }
  }

  /// Sets values that preferences can hold, removes others, and calls the change hook.
  ///
  /// - Throws: The reason if the change is refused.
  private func put(_ new: [ObservedValue]) throws(PreferencesError) {
    if new.isEmpty { return }
    for (key, value) in new { try checkChange(ofKey: key, to: value) }
    var isChange = user.hasChecks ? nil : user.set(new)
    // Another thread may change the domain while the check runs.
    while isChange == nil {
      var (values, identity) = user.capturedValues
      for (key, value) in new { values[key] = value }
      if let reason = user.reasonToRefuse(values) {
        throw .refusedChange(domain: domain, key: nil, reason: reason)
      }
      isChange = user.set(new, in: identity)
    }
    if isChange == true { ChangeHook.shared.call(self) }
  }
}
