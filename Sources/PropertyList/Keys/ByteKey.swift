/// A name, key or path that is compared by its bytes, as the kernel and property lists compare them:
/// canonically equivalent strings with other bytes are other names.
package struct ByteKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ByteKey, right: ByteKey) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension [String] {
  package var uniqueByBytes: [String] {
    var seen = Set<ByteKey>()
    return filter { seen.insert(ByteKey($0)).inserted }
  }
}

/// A fast hash of bytes with a seed for each process, based on the folded multiplication of wyhash.
/// It serves hash tables within a process. It is not secure against an attacker who knows the seed.
package enum ByteHash {
  /// The seed of this process.
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
