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

  func fullValue() -> PlistValue {
    switch self {
    case .value(let value): value
    case .encoded(let container): container.document.fullValue(of: container)
    }
  }
}

/// The values in a container that is being decoded, by index.
enum DecodingElements {
  /// Values in memory; empty for an input other than a container.
  case values([PlistValue])
  /// The values that the references at an offset of a binary document lead to.
  case encoded(ValidatedBinaryDocument, start: Int)

  @inline(__always)
  func input(at index: Int) -> DecodingInput {
    switch self {
    case .values(let values): .value(values[index])
    case .encoded(let document, let start): document.input(index, from: start)
    }
  }

  /// Returns the value at an index, or an empty container instead of an encoded one.
  @inline(__always)
  func shallowValue(at index: Int) -> PlistValue {
    switch self {
    case .values(let values): values[index]
    case .encoded(let document, let start): document.shallowValue(index, from: start)
    }
  }
}
