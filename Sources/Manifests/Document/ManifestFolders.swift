/// The folders where programs install the manifests of their domains.
///
/// A manifest is a file in `preferences/manifests` of `$XDG_DATA_HOME`, `~/.local/share` by
/// default, or of one of `$XDG_DATA_DIRS`, by default `/usr/local/share` and `/usr/share`. The file
/// is named after its domain, with the extension `plist` or `manifest`. The first file that exists
/// is used.
public struct ManifestFolders: Sendable, Hashable {
  /// The absolute paths of the folders, in search order.
  public var paths: [String]

  private static let extensions = ["plist", "manifest"]

  /// The folders that environment variables name. Relative paths are ignored, as the XDG Base Directory
  /// Specification requires.
  ///
  /// - Parameters:
  ///   - root: A path before all paths, such as the folder of a mounted system.
  ///   - variable: Returns the value of an environment variable; nil if it is not set.
  public init(root: String = "", variable: (String) -> String?) {
    func folders(_ name: String, default paths: [String]) -> [String] {
      let named = (variable(name) ?? "").split(separator: ":").map { String($0) }
      let absolute = named.filter { $0.hasPrefix("/") }
      return absolute.isEmpty ? paths.filter { $0.hasPrefix("/") } : absolute
    }
    let home = variable("HOME").map { ["\($0)/.local/share"] } ?? []
    let user = folders("XDG_DATA_HOME", default: home)
    let system = folders("XDG_DATA_DIRS", default: ["/usr/local/share", "/usr/share"])
    paths = (user + system).map { "\(root)\($0)/preferences/manifests" }
  }

  /// The paths where the manifest of a domain may be, in search order; none for a name that would lead out
  /// of the folders.
  public func files(forDomain domain: String) -> [String] {
    guard !domain.isEmpty, !domain.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else { return [] }
    return paths.flatMap { folder in Self.extensions.map { "\(folder)/\(domain).\($0)" } }
  }

  /// The domain of a manifest's file; nil if the name is not a manifest's.
  public static func domain(ofFile name: String) -> String? {
    for ending in extensions where name.utf8.reversed().starts(with: ".\(ending)".utf8.reversed()) {
      let domain = name.dropLast(ending.count + 1)
      return domain.isEmpty ? nil : String(domain)
    }
    return nil
  }
}
