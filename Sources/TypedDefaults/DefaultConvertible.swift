/// Adapts a type to one stored value, an untyped object under a key of its own.
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
  /// The key under which the value is stored.
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
