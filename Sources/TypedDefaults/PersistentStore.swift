public import Preferences
@_exported public import PreferencesFoundation
internal import PropertyList
@_exported public import TypedPreferences

/// Adapts a type to one stored value, an untyped object under its own key.
///
/// ```swift
/// struct Playback: DefaultConvertible {
///   static let key = "playback"
///   var rate: Int
///
///   init?(_ object: Any) {
///     guard let entries = object as? [String: Any] else { return nil }
///     rate = entries["rate"] as? Int ?? 1
///   }
///
///   func serialize() -> Any { ["rate": rate] }
/// }
/// ```
public protocol DefaultConvertible: SendableMetatype {
  /// The key of the stored value.
  static var key: String { get }

  /// Creates a value from its stored form; nil if there is none.
  ///
  /// The object is exactly an `Int`, `Double`, `Bool`, `String`, `Date`, `Data`, `[Any]` or
  /// `[String: Any]`, a `UInt` above `Int.max`, or a `Float` from a binary file.
  init?(_ object: Any)

  /// Returns the stored form of the value: an object of one of the types that the initializer
  /// receives, or of another type that the untyped setters of `PreferencesStore` accept.
  func serialize() -> Any
}

/// An alternative name of ``DefaultConvertible``.
public typealias DefaultsConvertible = DefaultConvertible

/// A store of one value in preferences.
///
/// A stored object that cannot be converted to a value is reported through
/// `TypedPreferenceError.onFailure(_:)`, stays unchanged, and is read as nil. A value that cannot
/// be stored is also reported, and the old one stays.
public final class PersistentStore<T: DefaultConvertible>: DefaultStoreType, Sendable {
  private let preference: TypedPreference<T?>

  /// Creates a store of the value in a preferences store.
  public init(store: PreferencesStore = .standard) {
    preference = TypedPreference(T.key, in: store, coder: .optional(of: .convertible())) { nil }
  }

  /// Replaces the stored value.
  public func set(_ value: T) {
    preference.set(value)
  }

  /// Returns the stored value; nil if there is none. The Observation framework tracks it.
  public func get() -> T? {
    preference.value
  }

  /// Removes the stored value.
  public func remove() {
    preference.remove()
  }

  /// Saves pending changes, reads what other processes have saved, and returns whether that
  /// succeeded.
  @discardableResult
  public func synchronize() -> Bool {
    preference.reference.store.synchronize()
  }
}

extension PlistCoder where Value: DefaultConvertible {
  /// The coder of a type that converts its values to and from untyped objects.
  static func convertible() -> PlistCoder {
    PlistCoder { value throws(ValueConversionError) in
      try PlistValue(untyped: value.serialize())
    } decode: { plist throws(ValueConversionError) in
      guard let value = Value(plist.anyValue) else {
        throw .malformed("a value of type \(Value.self)")
      }
      return value
    }
  }
}
