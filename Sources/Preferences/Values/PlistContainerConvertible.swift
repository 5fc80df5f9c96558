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
