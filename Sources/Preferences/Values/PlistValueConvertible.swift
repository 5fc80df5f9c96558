public import PropertyList

/// A type that the untyped setters of ``PreferencesStore`` accept in addition to the types they
/// know.
public protocol PlistValueConvertible {
  /// The value to store; nil if this value cannot be stored.
  var plistValue: PlistValue? { get }
}
