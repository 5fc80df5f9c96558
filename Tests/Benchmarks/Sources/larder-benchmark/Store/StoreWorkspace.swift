import Foundation
import Preferences
import PropertyList

/// The folder and options of the store benchmark, and how to open domains there.
struct StoreWorkspace {
  let options: BenchmarkOptions

  var folder: String { options.folder }
  var pace: Pace { options.pace }
  var isQuick: Bool { options.isQuick }

  // MARK: Folder

  /// Returns the folders of all layers.
  static func locations(in folder: String) -> DomainLocations { DomainLocations(within: folder) }

  /// Returns the path of a domain's file, which Larder and Foundation share.
  func path(of domain: String) -> String {
    Self.locations(in: folder).user + "/\(domain).plist"
  }

  // MARK: Domains

  /// Writes the file of a domain that has not been opened yet.
  func write(
    _ values: PlistDictionary, to domain: String, as format: PlistFormat = .binary
  ) throws {
    try Plist.write(.dictionary(values), as: format)
      .write(to: URL(fileURLWithPath: path(of: domain)))
  }

  /// Returns the values in the file of a domain.
  func savedValues(of domain: String) throws -> PlistDictionary {
    let data = try Data(contentsOf: URL(fileURLWithPath: path(of: domain)))
    guard case .dictionary(let values) = try Plist.read(data).value else {
      throw BenchmarkError("\(domain) is not a dictionary")
    }
    return values
  }

  /// Opens a domain with all its layers.
  func larder(_ domain: String) throws -> PreferencesStore {
    try Self.larder(domain, in: folder)
  }

  /// Opens a domain with all its layers.
  static func larder(_ domain: String, in folder: String) throws -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.locations = locations(in: folder)
    // The command line of this program has no preferences.
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    return try PreferencesStore(domain: domain, options: options)
  }

  /// Opens a domain with Foundation, in a process with `XDG_CONFIG_HOME`.
  static func foundation(_ domain: String) throws -> UserDefaults {
    guard let defaults = UserDefaults(suiteName: domain) else {
      throw BenchmarkError("Foundation cannot open \(domain)")
    }
    return defaults
  }

  /// Opens two domains with the same values, one with Larder and one with Foundation.
  func open(
    _ sample: SampleDomain, as name: String
  ) throws -> (larder: PreferencesStore, foundation: UserDefaults) {
    let domains = ["org.example.\(name).larder", "org.example.\(name).foundation"]
    for domain in domains { try write(sample.values, to: domain) }
    return (try larder(domains[0]), try Self.foundation(domains[1]))
  }
}
