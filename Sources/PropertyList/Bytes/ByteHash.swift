/// A fast hash of bytes, based on the folded multiplication of wyhash. It is not secure against an
/// attacker who knows the seed. With the same seed it is the same in every process and version,
/// since files of synchronized domains store it. `StableHash` is for names of files and machines.
package enum ByteHash {
  /// The seed of the hash tables of this process.
  package static let seed = UInt64(bitPattern: Int64(Hasher().finalize()))

  /// Returns the upper half of the hash.
  @inline(__always)
  package static func hash32(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = seed) -> UInt32 {
    UInt32(truncatingIfNeeded: hash(bytes, seed: seed) >> 32)
  }

  @inline(__always)
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = seed) -> UInt64 {
    let count = bytes.count
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    var position = 0
    while position + 8 <= count {
      hash = mix(hash ^ bytes.word(at: position))
      position += 8
    }
    let rest = count - position
    return rest > 0 ? mix(hash ^ bytes.lastWord(of: rest)) : hash
  }

  /// Multiplies to 128 bits and folds the halves.
  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0xE703_7ED1_A0B4_28DB).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }
}
