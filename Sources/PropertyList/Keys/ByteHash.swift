/// A fast hash of bytes with a seed for each process, based on the folded multiplication of wyhash.
///
/// It serves hash tables and the comparison of contents within a process. It is not secure against
/// an attacker who knows the seed.
package enum ByteHash {
  /// The seed of this process.
  package static let seed = UInt64(bitPattern: Int64(Hasher().finalize()))

  /// Returns the upper half of the hash.
  @inline(__always)
  package static func hash32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: hash(bytes) >> 32)
  }

  @inline(__always)
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = seed) -> UInt64 {
    let count = bytes.count
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    guard let start = bytes.baseAddress else { return hash }
    var position = 0
    if count >= lanesThreshold { hash = hashBlocks(bytes, hash, &position) }
    while position + 8 <= count {
      hash = mix(hash ^ bytes.word(at: position))
      position += 8
    }
    let rest = count - position
    if rest > 0 {
      hash = mix(hash ^ (count >= 8 ? bytes.word(at: count - 8) : shortWord(start, count)))
    }
    return hash
  }

  /// The number of bytes from which four independent lanes of multiplications pay off.
  private static let lanesThreshold = 256

  /// Hashes all whole blocks of 32 bytes and advances the position past them.
  @inline(never)
  private static func hashBlocks(
    _ bytes: UnsafeRawBufferPointer, _ hash: UInt64, _ position: inout Int
  ) -> UInt64 {
    var (first, second, third, fourth) = (hash, ~hash, hash &+ 1, hash &+ 2)
    while position + 32 <= bytes.count {
      first = mix(first ^ bytes.word(at: position))
      second = mix(second ^ bytes.word(at: position + 8))
      third = mix(third ^ bytes.word(at: position + 16))
      fourth = mix(fourth ^ bytes.word(at: position + 24))
      position += 32
    }
    return mix(mix(mix(first) ^ second) ^ third) ^ fourth
  }

  /// Multiplies to 128 bits and folds the halves.
  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0xE703_7ED1_A0B4_28DB).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }

  /// Returns one to seven bytes as a word that differs for different bytes of the same count.
  /// Unlike `lastWord(of:)` it does not keep them in order, which saves a shift.
  @inline(__always)
  private static func shortWord(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 4 {
      let low = start.loadUnaligned(as: UInt32.self)
      let high = start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(high) << 32 | UInt64(low)
    }
    let first = start.load(as: UInt8.self)
    let middle = start.load(fromByteOffset: count / 2, as: UInt8.self)
    let last = start.load(fromByteOffset: count - 1, as: UInt8.self)
    return UInt64(first) << 16 | UInt64(middle) << 8 | UInt64(last)
  }
}
