/// The 64-bit FNV-1a hash, the same in every process, unlike hashes of the standard library.
package enum FNV1a {
  package static func hash(_ text: String) -> UInt64 { hash(text.utf8) }

  package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
