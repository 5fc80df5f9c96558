public import PropertyList

/// A step that brings the values of a domain to a newer version.
///
/// ```swift
/// var options = PreferencesStore.Options()
/// options.migrations = [
///   PreferencesMigration(to: 1, .rename("colour", to: "color")),
///   PreferencesMigration(to: 2) { values in values["cache"] = nil },
/// ]
/// ```
///
/// See ``PreferencesStore/Options/migrations`` for when the steps run.
public struct PreferencesMigration: Sendable {
  /// The key of the version in a domain's file, an integer. It is not synchronized with other
  /// machines.
  public static let versionKey = "LarderVersion"

  /// The version that the values have after the step.
  public let version: Int
  let edits: [Edit]

  /// Creates a step from edits, which are made in order.
  ///
  /// - Parameters:
  ///   - version: The version that the step leads to. Steps have positive, ascending numbers, which
  ///     need not be consecutive.
  ///   - edits: The edits.
  public init(to version: Int, _ edits: Edit...) {
    self.version = version
    self.edits = edits
  }

  /// Creates a step of one closure.
  ///
  /// - Parameters:
  ///   - version: The version that the step leads to.
  ///   - body: Changes the values, as in ``Edit/change(_:)``.
  public init(
    to version: Int, _ body: @escaping @Sendable (inout PlistDictionary) throws -> Void
  ) {
    self.init(to: version, .change(body))
  }
}

extension PreferencesMigration {
  /// A part of a step.
  ///
  /// An edit does nothing if the keys that it reads have no values. A key that already has a value
  /// keeps it: a renamed, split, merged or moved value never replaces another.
  public struct Edit: Sendable {
    enum Action: Sendable {
      case change(@Sendable (inout PlistDictionary) throws -> Void)
      case move([String], domain: String)
    }

    let action: Action

    /// Changes the values with a closure.
    ///
    /// - Parameter body: Called again if a program that does not take the lock writes the file at
    ///   the same time. If it throws, no step of the migration has any effect, and the text of its
    ///   error, which should contain no values, is reported.
    public static func change(
      _ body: @escaping @Sendable (inout PlistDictionary) throws -> Void
    ) -> Edit {
      Edit(action: .change(body))
    }

    /// Renames a key.
    public static func rename(_ old: String, to new: String) -> Edit {
      merge([old], into: new) { $0[old] }
    }

    /// Moves values to another domain of the user, such as a suite, whose file is in the same folder.
    ///
    /// The values are on disk there before they are removed here. If a migration is interrupted
    /// between the two, the next one moves them again, which changes nothing: a value that the
    /// other domain already has stays, even if it differs.
    ///
    /// - Parameters:
    ///   - keys: The keys to move.
    ///   - domain: The name of the other domain. If it has its own migrations, open its store first: a
    ///     domain with values and without a version is migrated from the beginning.
    public static func move(_ keys: [String], toDomain domain: String) -> Edit {
      Edit(action: .move(keys, domain: domain))
    }

    /// Converts a value, for example to another type.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - body: Returns the new value; nil to remove it.
    public static func convert(
      _ key: String, _ body: @escaping @Sendable (PlistValue) throws -> PlistValue?
    ) -> Edit {
      change { values in
        if let old = values[key] { values[key] = try body(old) }
      }
    }

    /// Converts a value of one type. A value of another type is not changed.
    ///
    /// ```swift
    /// .convert("timeout", from: String.self) { text in .real(Double(text) ?? 30) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - type: The type that the value has.
    ///   - body: Returns the new value; nil to remove it.
    public static func convert<Old: PlistValueReadable & SendableMetatype>(
      _ key: String, from type: Old.Type,
      _ body: @escaping @Sendable (Old) throws -> PlistValue?
    ) -> Edit {
      convert(key) { value in
        guard let old = Old.read(from: value, isText: false) else { return value }
        return try body(old)
      }
    }

    /// Replaces a key by several.
    ///
    /// - Parameters:
    ///   - key: The key to replace.
    ///   - body: Returns the values of the new keys; one may have the old name.
    public static func split(
      _ key: String, _ body: @escaping @Sendable (PlistValue) throws -> PlistDictionary
    ) -> Edit {
      change { values in
        guard let old = values.removeValue(forKey: key) else { return }
        for (key, value) in try body(old) { values.add(value, forKey: key) }
      }
    }

    /// Replaces several keys by one.
    ///
    /// - Parameters:
    ///   - keys: The keys to replace.
    ///   - new: The new key, which may be one of the old ones.
    ///   - body: Called with the values of the old keys if there are any. Returns the new value;
    ///     nil for none.
    public static func merge(
      _ keys: [String], into new: String,
      _ body: @escaping @Sendable (PlistDictionary) throws -> PlistValue?
    ) -> Edit {
      change { values in
        let old = values.extract(keys)
        if old.isEmpty { return }
        if let value = try body(old) { values.add(value, forKey: new) }
      }
    }

    /// Stores a former default for a key without a value, so that users of an older version keep it.
    /// New users get the present default.
    public static func keepDefault(_ old: PlistValue, forKey key: String) -> Edit {
      change { values in values.add(old, forKey: key) }
    }

    /// Removes a value that is equal to a former default, so that users who never chose it get the
    /// current one.
    public static func dropDefault(_ old: PlistValue, forKey key: String) -> Edit {
      convert(key) { $0 == old ? nil : $0 }
    }

    /// Makes the edit.
    ///
    /// - Returns: The values that move to another domain; nil unless the edit moves values.
    package func apply(
      to values: inout PlistDictionary
    ) throws -> (domain: String, values: PlistDictionary)? {
      switch action {
      case .change(let body):
        try body(&values)
        return nil
      case .move(let keys, let domain): return (domain, values.extract(keys))
      }
    }
  }
}

extension PlistDictionary {
  /// Sets a value unless the key has one.
  mutating func add(_ value: PlistValue, forKey key: String) {
    if self[key] == nil { self[key] = value }
  }

  /// Removes and returns the values of keys.
  fileprivate mutating func extract(_ keys: [String]) -> PlistDictionary {
    var extracted = PlistDictionary()
    for key in keys { extracted[key] = removeValue(forKey: key) ?? extracted[key] }
    return extracted
  }
}
