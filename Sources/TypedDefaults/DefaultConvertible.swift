/// A type of which one value is stored, under a key of its own.
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
  /// The key.
  static var key: String { get }

  /// The value for what was stored, which is exactly an `Int`, `Double`, `Bool`, `String`, `Date`, `Data`,
  /// `[Any]` or `[String: Any]`, a `UInt` above `Int.max`, or a `Float` where a binary file has one; nil
  /// where there is none.
  init?(_ object: Any)

  /// What is stored for the value: one of the types that the initializer gets, or another that the
  /// untyped setters of `PreferencesStore` take.
  func serialize() -> Any
}

/// The other name of ``DefaultConvertible``.
public typealias DefaultsConvertible = DefaultConvertible
