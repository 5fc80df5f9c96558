/// The 64-bit FNV-1a hash, the same in every process, unlike hashes of the standard library. The
/// names of files and machines contain it, so it must not change, although `ByteHash` hashes a
/// megabyte in an eighth of the time.
package enum StableHash {
  package static func hash(_ text: String) -> UInt64 { hash(text.utf8) }

  package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
