/// An array or a dictionary of untyped elements, which are converted one by one.
///
/// It takes precedence over ``PlistValueConvertible``, so that the conversion can limit the
/// nesting.
package protocol PlistContainerConvertible {
  /// The elements; nil if a key is not a string.
  var untypedElements: UntypedElements? { get }
}

/// The untyped elements of an array or a dictionary.
package enum UntypedElements {
  /// The elements of an array.
  case array([Any])
  /// The entries of a dictionary.
  case dictionary([String: Any])
}

extension Array: PlistContainerConvertible {
  package var untypedElements: UntypedElements? { .array(self) }
}

extension Dictionary: PlistContainerConvertible {
  package var untypedElements: UntypedElements? { (self as? [String: Any]).map { .dictionary($0) } }
}
