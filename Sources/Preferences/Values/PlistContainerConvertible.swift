/// An array or a dictionary of elements of any type, which enters preferences element by element.
///
/// It comes before ``PlistValueConvertible``, so that whoever walks through the elements counts
/// levels.
package protocol PlistContainerConvertible {
  /// The elements; nil where keys are no strings.
  var untypedElements: UntypedElements? { get }
}

/// The elements of an array or a dictionary, of any type.
package enum UntypedElements {
  /// Those of an array.
  case array([Any])
  /// Those of a dictionary.
  case dictionary([String: Any])
}

extension Array: PlistContainerConvertible {
  package var untypedElements: UntypedElements? { .array(self) }
}

extension Dictionary: PlistContainerConvertible {
  package var untypedElements: UntypedElements? { (self as? [String: Any]).map { .dictionary($0) } }
}
