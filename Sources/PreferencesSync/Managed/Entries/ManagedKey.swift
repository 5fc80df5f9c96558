internal import Preferences
internal import PropertyList

/// The name of an entry of managed preferences in a remote store: `DOMAIN/KEY`.
package struct ManagedKey: Sendable {
  let domain: String
  /// The key, which may contain slashes.
  let key: String
}

extension ManagedKey {
  /// Parses the name of an entry; nil if it has no slash.
  init?(_ name: String) {
    guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    domain = String(name[..<slash])
    key = String(name[name.utf8.index(after: slash)...])
  }

  /// The name of the entry.
  var name: String { "\(domain)/\(key)" }

  /// Refuses a domain that cannot be managed: its name cannot be the name of a managed file, or no
  /// search list has the domain in its managed layer.
  package static func checkDomain(_ name: String) throws(ManagedPreferencesError) {
    let reserved = [
      PreferencesStore.globalDomain, PreferencesStore.argumentDomain,
      PreferencesStore.environmentDomain, PreferencesStore.registrationDomain,
    ]
    // Lock files, temporary files and the global domain have a leading dot.
    guard (try? DomainName.check(name)) != nil, name.utf8.first != UInt8(ascii: "."),
      name.utf8.count <= longestDomain, !name.unicodeScalars.contains(where: \.isControl),
      !reserved.contains(where: { $0.utf8.elementsEqual(name.utf8) })
    else { throw .invalidDomain(name: name) }
  }

  /// The length in bytes of the longest name of a domain. With its extension, it is the name of a
  /// file.
  private static let longestDomain = 255 - ".plist".utf8.count
}
