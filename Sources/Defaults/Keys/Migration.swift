internal import PropertyList
internal import TypedPreferences

extension Defaults {
  /// What a new version of a program makes of a value that an older one has stored.
  ///
  /// ```swift
  /// extension Defaults.Keys {
  ///   static let timeout = Key<Double>(
  ///     "timeout", default: 30,
  ///     migrate: .renamed(from: "seconds"), .from(String.self) { Double($0) ?? 30 })
  /// }
  /// ```
  ///
  /// Migrations of a key run in their order when the key is made, if what is stored then calls for one: it
  /// is what is stored in the suite's own domain that says whether one has run. All are one step that is on
  /// the disk before the key can be used, and that of several processes only one does; to make the key may
  /// take as long as `PreferencesStore.update`. A key that is made within an update of its suite cannot be
  /// migrated: that is reported, too, and done when it is next made.
  ///
  /// Where one fails, all is left as it was, and the failure is reported.
  public struct Migration<Value: Serializable>: Sendable {
    /// The names, other than the key's, under which it looks for values.
    let sources: [String]
    /// Whether values call for it.
    let isDue: @Sendable (PlistDictionary, _ name: String, PlistCoder<Value>) -> Bool
    /// Changes values that call for it.
    let apply: @Sendable (inout PlistDictionary, _ name: String, PlistCoder<Value>) throws -> Void
  }
}

extension Defaults.Migration {
  /// Takes over the value of a key that had another name, unless there is one under the new name.
  public static func renamed(from oldName: String) -> Defaults.Migration<Value> {
    Defaults.Migration(sources: [oldName]) { values, name, _ in
      values[name] == nil && values[oldName] != nil
    } apply: { values, name, _ in
      values[name] = values.removeValue(forKey: oldName)
    }
  }

  /// Takes over the value of a key that had another name and another type, unless there is one under the
  /// new name.
  ///
  /// It is the way to convert numbers that can be read as the new type as they are, from seconds to
  /// milliseconds for example.
  ///
  /// - Parameters:
  ///   - oldName: The other name.
  ///   - type: The other type.
  ///   - convert: Makes a value of the old one, as that of ``from(_:_:)`` does.
  public static func renamed<Old: Defaults.Serializable>(
    from oldName: String, _ type: Old.Type, _ convert: @escaping @Sendable (Old) throws -> Value
  ) -> Defaults.Migration<Value> {
    let old = PlistCoder<Old>.serializable()
    return Defaults.Migration(sources: [oldName]) { values, name, _ in
      values[name] == nil && values[oldName] != nil
    } apply: { values, name, new in
      guard let stored = values.removeValue(forKey: oldName) else { return }
      values[name] = try new.encode(convert(old.decode(stored)))
    }
  }

  /// Converts a value of another type, if what is stored can be read as one of that type and not of the
  /// key's.
  ///
  /// - Parameters:
  ///   - type: The other type.
  ///   - convert: Makes a value of the old one. It may be called again when another program changes the
  ///     store at the same time. What it throws is reported.
  public static func from<Old: Defaults.Serializable>(
    _ type: Old.Type, _ convert: @escaping @Sendable (Old) throws -> Value
  ) -> Defaults.Migration<Value> {
    let old = PlistCoder<Old>.serializable()
    return Defaults.Migration(sources: []) { values, name, new in
      guard let stored = values[name], (try? new.decode(stored)) == nil else { return false }
      return (try? old.decode(stored)) != nil
    } apply: { values, name, new in
      guard let stored = values[name] else { return }
      values[name] = try new.encode(convert(old.decode(stored)))
    }
  }

  /// Stores anew what Defaults up to version 4 stored as one text of JSON and is now an array, a
  /// dictionary or a plain text.
  ///
  /// Such values can be read without it, too.
  public static func codableV4() -> Defaults.Migration<Value> {
    @Sendable func renewed(_ stored: PlistValue?, _ coder: PlistCoder<Value>) -> PlistValue? {
      guard case .string? = stored, let stored, let value = try? coder.decode(stored),
        let new = (try? coder.encode(value)) ?? nil, new != stored
      else { return nil }
      return new
    }
    return Defaults.Migration(sources: []) { values, name, coder in
      renewed(values[name], coder) != nil
    } apply: { values, name, coder in
      if let new = renewed(values[name], coder) { values[name] = new }
    }
  }
}

extension TypedPreference where Value: Defaults.Serializable {
  /// Runs the migrations that what is stored in the store's own domain calls for.
  func migrate(by migrations: [Defaults.Migration<Value>]) {
    var own = PlistDictionary()
    for name in migrations.flatMap(\.sources) + [name] {
      own[name] = store.origins(forKey: name).first { $0.layer.kind == .user }?.value
    }
    // Renamed values may call for further migrations: those are found out about when it is done.
    guard migrations.contains(where: { $0.isDue(own, name, coder) }) else { return }
    do {
      // Whoever makes a key may do so within an update, of this thread or another one that waits for it.
      try store.update(threadTimeout: .seconds(10)) { values in
        for migration in migrations where migration.isDue(values, name, coder) {
          try migration.apply(&values, name, coder)
        }
        if let stored = values[name] { _ = try coder.decode(stored) }
      }
    } catch {
      report(.migrate, error as? ValueConversionError ?? ValueConversionError(.coding("\(error)")))
    }
  }
}
