public import PropertyList

/// Adapts a type to the untyped setters of ``PreferencesStore``, which accept it in addition to the
/// types they know.
public protocol PlistValueConvertible {
  /// The value to store; nil if this value cannot be stored.
  var plistValue: PlistValue? { get }
}
