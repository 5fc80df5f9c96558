/// A value that is being decoded: one that has been made, or a container of a binary document, of which
/// only those parts are made that a type asks for.
enum DecodedNode {
  case value(PlistValue)
  case stored(BinaryContainer)

  /// What sort of value it is.
  var kind: PlistValue.Kind {
    switch self {
    case .value(let value): value.kind
    case .stored(let container): container.kind
    }
  }

  /// The value with all that it contains.
  var whole: PlistValue {
    switch self {
    case .value(let value): value
    case .stored(let container): container.document.value(of: container)
    }
  }

  /// The value where it is no container, and an empty one of its kind otherwise, so that errors can say
  /// what was found.
  var shallow: PlistValue {
    switch self {
    case .value(let value): value
    case .stored(let container):
      switch container.kind {
      case .dictionary: .dictionary(PlistDictionary())
      case .array: .array([])
      default: .set([])
      }
    }
  }
}
