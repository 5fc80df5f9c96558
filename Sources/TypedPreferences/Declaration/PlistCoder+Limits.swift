internal import Manifests
internal import PropertyList

extension PlistCoder {
  /// Returns a coder that neither stores nor reads values outside of a key's limits. Its errors
  /// have the same text as a check against the manifest.
  func limited(by traits: KeyTraits) -> PlistCoder {
    guard traits.hasLimits else { return self }
    let limits = SingleKeyCheck(traits.key)
    let encode: @Sendable (Value) throws(ValueConversionError) -> PlistValue? = {
      [encode] value throws(ValueConversionError) in
      let stored = try encode(value)
      if let stored, let finding = limits.firstError(in: stored) {
        throw ValueConversionError(
          .notAllowed(expected: finding.expected ?? finding.message), path: finding.keyPath)
      }
      return stored
    }
    var coder = decoding { [decode] plist throws(ValueConversionError) in
      let value = try decode(plist)
      _ = try encode(value)
      return value
    }
    coder.encode = encode
    // A check costs more than comparing with the value that was decoded last.
    coder.isCostly = true
    if let merge {
      coder.merge = { base, plist in
        guard let value = merge(base, plist), (try? encode(value)) != nil else { return nil }
        return value
      }
    }
    coder.partial = partial.map { partial in
      LenientCollectionCoding(
        decode: { plist, unreadable throws(ValueConversionError) in
          let value = try partial.decode(plist, &unreadable)
          _ = try encode(value)
          return value
        }, keepUnreadable: partial.keepUnreadable)
    }
    return coder
  }
}

/// Checks values against the description of one key.
struct SingleKeyCheck: Sendable {
  private static let name = "value"
  private let checker: ManifestChecker

  init(_ key: PreferencesManifest.Key) {
    var key = key
    key.name = Self.name
    (key.exclusions, key.conditionals, key.requirement) = ([], [], nil)
    checker = ManifestChecker(PreferencesManifest(domain: "", keys: [key]))
  }

  /// The first error, with its place in the value; nil if the value is allowed.
  func firstError(in value: PlistValue) -> ManifestFinding? {
    let findings = checker.findings(in: .dictionary([Self.name: value]))
    guard var error = findings.first(where: { $0.severity == .error }) else { return nil }
    error.keyPath = PlistKeyPath(components: Array(error.keyPath.components.dropFirst()))
    return error
  }
}
