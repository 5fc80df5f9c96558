/// Names of files derived from other names.
package enum FileName {
  /// The maximum length of a name in bytes, as on Linux file systems.
  private static let limit = 255

  package static func isPossible(_ name: String) -> Bool { name.utf8.count <= limit }

  /// Returns a name between a prefix and a suffix, or a hash of the name if that would be too long.
  package static func make(_ prefix: String, _ name: String, _ suffix: String) -> String {
    let length = prefix.utf8.count + name.utf8.count + suffix.utf8.count
    guard length > limit else { return prefix + name + suffix }
    return prefix + "larder-" + String(StableHash.hash(name), radix: 36) + suffix
  }
}
