/// The values within a container that is being decoded, found by their indices.
enum DecodedContents {
  /// Those that have been made; none where there is no container.
  case values([PlistValue])
  /// Those of a binary document to which the references lead that begin at an offset.
  case stored(BinaryDocument, start: Int)

  /// A value.
  @inline(__always)
  func node(at index: Int) -> DecodedNode {
    switch self {
    case .values(let values): .value(values[index])
    case .stored(let document, let start): document.node(at: start, index)
    }
  }

  /// A value; of a container that is stored only the kind.
  @inline(__always)
  func shallow(at index: Int) -> PlistValue {
    switch self {
    case .values(let values): values[index]
    case .stored(let document, let start): document.shallow(at: start, index)
    }
  }
}
