/// A value to be decoded: one in memory, or a container that is still encoded in a binary document,
/// of which only requested parts are read.
enum DecodingInput {
  case value(PlistValue)
  case encoded(ValidatedBinaryDocument.Container)

  var kind: PlistValue.Kind {
    switch self {
    case .value(let value): value.kind
    case .encoded(let container): container.kind
    }
  }

  /// The value, or an empty container instead of an encoded one. It suffices to decode scalars
  /// and to report the kind of a value.
  var shallowValue: PlistValue {
    switch self {
    case .value(let value): value
    case .encoded(let container):
      switch container.kind {
      case .dictionary: .dictionary(PlistDictionary())
      case .array: .array([])
      default: .set([])
      }
    }
  }

  /// Returns the value with everything it contains.
  func fullValue() -> PlistValue {
    switch self {
    case .value(let value): value
    case .encoded(let container): container.document.fullValue(of: container)
    }
  }
}
