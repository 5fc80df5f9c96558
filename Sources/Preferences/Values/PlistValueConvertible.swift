public import PropertyList

/// Adapts a type to the untyped setters of ``PreferencesStore``, which accept it in addition to the
/// types they know.
public protocol PlistValueConvertible {
  /// The value to store; nil if this value cannot be stored.
  var plistValue: PlistValue? { get }
}

/// A container of untyped elements, converted one by one.
///
/// It takes precedence over ``PlistValueConvertible``, so that the conversion can limit the
/// nesting.
package protocol PlistContainerConvertible {
  /// Nil if a key is not a string.
  var untypedElements: UntypedElements? { get }
}

package enum UntypedElements {
  case array([Any])
  case dictionary([String: Any])
}

extension Array: PlistContainerConvertible {
  package var untypedElements: UntypedElements? { .array(self) }
}

extension Dictionary: PlistContainerConvertible {
  package var untypedElements: UntypedElements? { (self as? [String: Any]).map { .dictionary($0) } }
}
