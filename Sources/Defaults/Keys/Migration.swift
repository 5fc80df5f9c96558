internal import Preferences
internal import PropertyList
internal import TypedPreferences

extension Defaults {
  /// A conversion of a value that an older version of a program has stored.
  ///
  /// ```swift
  /// extension Defaults.Keys {
  ///   static let timeout = Key<Double>(
  ///     "timeout", default: 30,
  ///     migrate: .renamed(from: "seconds"), .from(String.self) { Double($0) ?? 30 })
  /// }
  /// ```
  ///
  /// The migrations of a key run in order when the key is created, or for a key of the standard
  /// store when that is opened, if a value stored in the suite's own domain requires it. They also
  /// run in each store that replaces the standard one, when the key is first used there. They are
  /// one atomic update, which only one of several processes performs, and which is on disk before
  /// the initializer returns. Creating the key may take as long as `PreferencesStore.update`. A key
  /// created within an update of its suite cannot be migrated: a failure is reported, and the
  /// migration runs when the key is next created.
  ///
  /// If a migration fails, nothing is changed, and the failure is reported.
  ///
  /// `PreferencesStore.Options.migrations` migrates all keys of a domain by its version, before any
  /// key is used.
  public struct Migration<Value: Serializable>: Sendable {
    /// The names, other than the key's, whose values the migration reads.
    let sources: [String]
    /// Returns whether stored values require the migration.
    let isDue: @Sendable (PlistDictionary, _ name: String, PlistCoder<Value>) -> Bool
    /// Returns how values that require it are migrated.
    let edit: @Sendable (_ name: String, PlistCoder<Value>) -> PreferencesMigration.Edit
  }
}

extension Defaults.Migration {
  /// Moves a value stored under an old name to the key, unless the key has a value.
  public static func renamed(from oldName: String) -> Defaults.Migration<Value> {
    Defaults.Migration(sources: [oldName]) { values, name, _ in
      values[name] == nil && values[oldName] != nil
    } edit: { name, _ in
      .rename(oldName, to: name)
    }
  }

  /// Converts a value stored under an old name, and moves it to the key, unless the key has a
  /// value.
  ///
  /// This also converts between units, for example seconds to milliseconds, where the old value can
  /// be decoded as the new type.
  ///
  /// - Parameters:
  ///   - oldName: The old name.
  ///   - type: The type of the old value.
  ///   - convert: Converts the old value, as in ``from(_:_:)``. If it throws, the error is reported and nothing is
  ///     moved.
  public static func renamed<Old: Defaults.Serializable>(
    from oldName: String, _ type: Old.Type, _ convert: @escaping @Sendable (Old) throws -> Value
  ) -> Defaults.Migration<Value> {
    let old = PlistCoder<Old>.serializable()
    return Defaults.Migration(sources: [oldName]) { values, name, _ in
      values[name] == nil && values[oldName] != nil
    } edit: { name, new in
      .split(oldName) { stored in
        var result = PlistDictionary()
        result[name] = try new.encode(convert(old.decode(stored)))
        return result
      }
    }
  }

  /// Converts the stored value from another type, if it can be decoded as that type but not as the
  /// key's.
  ///
  /// - Parameters:
  ///   - type: The type of the old value.
  ///   - convert: Converts the old value. It is called again if another process changes the store
  ///     at the same time. An error that it throws is reported.
  public static func from<Old: Defaults.Serializable>(
    _ type: Old.Type, _ convert: @escaping @Sendable (Old) throws -> Value
  ) -> Defaults.Migration<Value> {
    let old = PlistCoder<Old>.serializable()
    return Defaults.Migration(sources: []) { values, name, new in
      guard let stored = values[name], (try? new.decode(stored)) == nil else { return false }
      return (try? old.decode(stored)) != nil
    } edit: { name, new in
      .convert(name) { stored in try new.encode(convert(old.decode(stored))) }
    }
  }

  /// Converts values that Defaults up to version 4 stored as JSON strings to the present form:
  /// arrays, dictionaries or plain strings.
  ///
  /// These values can also be decoded without the migration.
  public static func codableV4() -> Defaults.Migration<Value> {
    @Sendable func reencoded(_ stored: PlistValue?, _ coder: PlistCoder<Value>) -> PlistValue? {
      guard case .string? = stored, let stored, let value = try? coder.decode(stored),
        let new = (try? coder.encode(value)) ?? nil, new != stored
      else { return nil }
      return new
    }
    return Defaults.Migration(sources: []) { values, name, coder in
      reencoded(values[name], coder) != nil
    } edit: { name, coder in
      .convert(name) { stored in reencoded(stored, coder) ?? stored }
    }
  }
}

extension TypedPreference where Value: Defaults.Serializable {
  /// Runs the migrations that values in the store's own domain require.
  func migrate(by migrations: [Defaults.Migration<Value>]) {
    var own = PlistDictionary()
    for name in migrations.flatMap(\.sources) + [name] {
      own[name] = reference.known.origins(forKey: name).first { $0.layer.kind == .user }?.value
    }
    // The update checks whether a renamed value requires further migrations.
    guard migrations.contains(where: { $0.isDue(own, name, coder) }) else { return }
    do {
      // The timeout avoids a deadlock if the key is created within an update by this thread, or by
      // another thread that waits for this one.
      try reference.known.update { values in
        for migration in migrations where migration.isDue(values, name, coder) {
          _ = try migration.edit(name, coder).apply(to: &values)
        }
        if let stored = values[name] { _ = try coder.decode(stored) }
      }
    } catch {
      report(.migrate, error as? ValueConversionError ?? ValueConversionError(.coding("\(error)")))
    }
  }
}
