/// An optional of any type, as which a value of unknown type can be asked whether it is nil.
public protocol _DefaultsOptionalProtocol: ExpressibleByNilLiteral {
  /// Whether the value is nil.
  var _defaults_isNil: Bool { get }
}

extension Optional: _DefaultsOptionalProtocol {
  /// Whether the value is nil.
  public var _defaults_isNil: Bool { self == nil }
}
