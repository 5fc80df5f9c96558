/// Versions of programs, compared by their numbers.
enum ProgramVersion {
  /// Why a program of a version does not use a key; nil if it does.
  ///
  /// - Parameter version: The program's version; nil if it is not known.
  static func problem(of key: PreferencesManifest.Key, in version: String?) -> String? {
    if let version {
      if let first = key.firstVersion, isAscending(version, first) {
        return "the key needs version \(ManifestText.excerpt(first))"
      }
      if let last = key.lastVersion, isAscending(last, version) {
        return "the key is only read up to version \(ManifestText.excerpt(last))"
      }
    }
    guard let deprecated = key.deprecatedVersion,
      version.map({ !isAscending($0, deprecated) }) ?? true
    else { return nil }
    return "the key is deprecated since version \(ManifestText.excerpt(deprecated))"
  }

  /// Whether a version is before another one. Parts that are not numbers are 0.
  static func isAscending(_ left: String, _ right: String) -> Bool {
    let (left, right) = (numbers(of: left), numbers(of: right))
    for index in 0..<max(left.count, right.count) {
      let a = index < left.count ? left[index] : 0
      let b = index < right.count ? right[index] : 0
      if a != b { return a < b }
    }
    return false
  }

  private static func numbers(of version: String) -> [Int] {
    version.prefix(100).split(separator: ".").map { part in
      Int(part.prefix { "0"..."9" ~= $0 }) ?? 0
    }
  }
}
