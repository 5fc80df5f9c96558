public import PropertyList

/// Several keys at one moment.
extension PreferencesStore {
  /// Captures the values of all layers at this moment, so that several keys read from it are
  /// consistent.
  ///
  /// Only unsaved values are copied, and nothing if the values have not changed since the last
  /// snapshot.
  public func snapshot() -> PreferencesSnapshot { PreferencesSnapshot(searchList.capture()) }

  /// Sets and removes several values in the store's own domain at one moment. A key to set is not
  /// removed.
  ///
  /// Observers and readers of a ``snapshot()`` see all of the change or nothing. It is saved in one
  /// commit, so other processes also do. Getters called one after the other may still see one key
  /// before the change and the next after it.
  ///
  /// ```swift
  /// store.set(["host": "example.org", "port": 443], removing: ["proxy"])
  /// ```
  ///
  /// A value that preferences cannot hold is a programming error, as for
  /// ``set(_:forKey:)-(PlistValue,_)``; ``setAny(_:removing:)`` throws instead.
  public func set(_ values: PlistDictionary, removing keys: [String] = []) {
    ProgrammingError.stopping(typeOf: { values[$0] }) { () throws(PreferencesError) in
      try values.checkStorable()
    }
    put(values, removing: keys)
  }

  /// Sets and removes several values of types that preferences can hold at one moment, as
  /// ``set(_:removing:)`` does.
  ///
  /// - Throws: The errors of ``setAny(_:forKey:)``; nothing has changed then.
  public func setAny(
    _ values: [String: Any], removing keys: [String] = []
  ) throws(PreferencesError) {
    let values = try PlistDictionary(storing: values)
    try checkWritable()
    put(values, removing: keys)
  }

  /// Sets checked values, removes others, and calls the change hook.
  private func put(_ values: PlistDictionary, removing keys: [String]) {
    let removed = keys.uniqueByBytes.filter { values[$0] == nil }.map { ($0, PlistValue?.none) }
    let new: [ObservedValue] = removed + values.map { ($0.key, .some($0.value)) }
    if new.isEmpty || refusesChange(ofKey: new.count == 1 ? new[0].key : nil) { return }
    if user.set(new) == true { ChangeHook.shared.call(self) }
  }
}

extension PreferencesStore: ReadablePreferences {}
