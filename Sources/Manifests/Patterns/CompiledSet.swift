/// A set with a bit for each ASCII character.
struct CompiledSet: Sendable {
  /// The ASCII characters, by their codes.
  private(set) var bits: (UInt64, UInt64) = (0, 0)
  private let set: ScalarSet
  /// What a character beyond ASCII costs, in steps.
  let cost: Int

  init(_ set: ScalarSet) {
    self.set = set
    cost = set.itemCount
    for value in UInt8(0)..<64 where set.contains(Unicode.Scalar(value)) { bits.0 |= 1 << value }
    for value in UInt8(0)..<64 where set.contains(Unicode.Scalar(value + 64)) {
      bits.1 |= 1 << value
    }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<64: bits.0 >> scalar.value & 1 == 1
    case 64..<128: bits.1 >> (scalar.value - 64) & 1 == 1
    default: set.contains(scalar)
    }
  }
}
