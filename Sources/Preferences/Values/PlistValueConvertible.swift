public import PropertyList

/// A type whose values the untyped setters of ``PreferencesStore`` accept.
///
/// Conform a type to it that they do not accept by themselves.
public protocol PlistValueConvertible {
  /// The value to store; nil if this value cannot be stored.
  var plistValue: PlistValue? { get }
}
