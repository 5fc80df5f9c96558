/// A fast hash of bytes, different in every process, after the folded multiplication of wyhash.
///
/// It is for tables and for telling contents from others within a process, not against somebody who
/// knows its seed.
package enum ByteHash {
  /// The seed of this process.
  package static let seed = UInt64.random(in: .min ... .max)

  @inline(__always)
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = seed) -> UInt64 {
    let count = bytes.count
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    guard let start = bytes.baseAddress else { return hash }
    var position = 0
    if count >= lanesLength { hash = lanes(start, count, hash, &position) }
    while position + 8 <= count {
      hash = mix(hash ^ word(start, position))
      position += 8
    }
    let rest = count - position
    if rest > 0 {
      hash = mix(hash ^ (count >= 8 ? word(start, count - 8) : short(start, count)))
    }
    return hash
  }

  /// From so many bytes on, multiplications that do not wait for each other are worth their setting up.
  private static let lanesLength = 256

  /// Goes behind all whole blocks of 32 bytes.
  @inline(never)
  private static func lanes(
    _ start: UnsafeRawPointer, _ count: Int, _ hash: UInt64, _ position: inout Int
  ) -> UInt64 {
    var (first, second, third, fourth) = (hash, ~hash, hash &+ 1, hash &+ 2)
    while position + 32 <= count {
      first = mix(first ^ word(start, position))
      second = mix(second ^ word(start, position + 8))
      third = mix(third ^ word(start, position + 16))
      fourth = mix(fourth ^ word(start, position + 24))
      position += 32
    }
    return mix(mix(mix(first) ^ second) ^ third) ^ fourth
  }

  /// Multiplies to 128 bits and folds them.
  @inline(__always)
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0xE703_7ED1_A0B4_28DB).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return product.high ^ product.low
  }

  @inline(__always)
  private static func word(_ start: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// One to seven bytes as a number.
  @inline(__always)
  private static func short(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
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
