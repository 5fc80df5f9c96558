/// Names of files that are made from other names.
package enum FileName {
  /// What a name may take up, in bytes, on Linux's file systems.
  private static let limit = 255

  /// A name with something before and behind it. Where that would be too long, a hash stands for the
  /// name.
  package static func make(_ prefix: String, _ name: String, _ suffix: String) -> String {
    let length = prefix.utf8.count + name.utf8.count + suffix.utf8.count
    guard length > limit else { return prefix + name + suffix }
    // FNV-1a: the same in every process, which the hashes of the standard library are not.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return prefix + "larder-" + String(hash, radix: 36) + suffix
  }
}
