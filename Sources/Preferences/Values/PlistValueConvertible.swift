public import PropertyList

/// A type whose values can be stored in preferences.
///
/// It is how types that the engine does not know, such as Foundation's, enter the untyped setters.
public protocol PlistValueConvertible {
  /// The value to store; nil where property lists cannot hold this one.
  var plistValue: PlistValue? { get }
}
