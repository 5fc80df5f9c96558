public import PropertyList

/// Several keys at one moment.
extension PreferencesStore {
  /// Returns the values of all layers at this moment: several keys that are read from it belong
  /// together.
  ///
  /// Nothing is copied but values that are not saved yet, and for a store whose values have not
  /// changed since the last snapshot nothing at all.
  public func snapshot() -> PreferencesSnapshot {
    PreferencesSnapshot(searchList.capture())
  }

  /// Sets and removes several values in the store's own domain at one moment.
  ///
  /// Readers of a ``snapshot()`` and observers see all of it or nothing, and it is saved in one
  /// commit, so that other processes do, too. Getters that are called one after the other may still
  /// see one key before that and the next one after.
  ///
  /// ```swift
  /// store.set(["host": "example.org", "port": 443], removing: ["proxy"])
  /// ```
  ///
  /// A value that preferences cannot hold is a programming error, as for ``set(_:forKey:)-(PlistValue,_)``;
  /// ``setAny(_:removing:)`` throws instead.
  ///
  /// - Parameters:
  ///   - values: The values to set.
  ///   - keys: The keys to remove. A key that has a value among those to set is set.
  public func set(_ values: PlistDictionary, removing keys: [String] = []) {
    ProgrammingError.stopping(typeOf: { values[$0] }) { () throws(PreferencesError) in
      try values.checkStorable()
    }
    put(values, removing: keys)
  }

  /// Sets and removes several values of types that preferences can hold in the store's own domain
  /// at one moment, as ``set(_:removing:)`` does.
  ///
  /// - Parameters:
  ///   - values: The values to set.
  ///   - keys: The keys to remove. A key that has a value among those to set is set.
  /// - Throws: The errors of ``setAny(_:forKey:)``; nothing has changed then.
  public func setAny(
    _ values: [String: Any], removing keys: [String] = []
  ) throws(PreferencesError) {
    let values = try PlistDictionary(storing: values)
    try checkWritable()
    put(values, removing: keys)
  }

  /// Sets values that preferences can hold, removes others, and calls the change hook.
  private func put(_ values: PlistDictionary, removing keys: [String]) {
    let removed = keys.uniqueByBytes.filter { values[$0] == nil }.map { ($0, PlistValue?.none) }
    let new: [ObservedValue] = removed + values.map { ($0.key, .some($0.value)) }
    if new.isEmpty || refusesChange(ofKey: new.count == 1 ? new[0].key : nil) { return }
    if user.set(new) { ChangeHook.shared.call(self) }
  }
}

extension PreferencesStore: ReadablePreferences {}
