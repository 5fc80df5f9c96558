import Foundation
import Preferences
import PropertyList

/// Where the store and its peer are measured: a folder, and how to open domains there.
struct Workplace {
  let folder: String
  let options: BenchmarkOptions

  var pace: Pace { options.pace }
  var isQuick: Bool { options.isQuick }

  // MARK: The folder

  /// The folders of all layers.
  static func locations(in folder: String) -> DomainLocations { DomainLocations(within: folder) }

  /// The path of a domain's file, which is the same for Larder and for Foundation.
  func path(of domain: String) -> String {
    Self.locations(in: folder).user + "/\(domain).plist"
  }

  // MARK: Domains

  /// Writes the file of a domain that nobody has opened yet.
  func write(
    _ values: PlistDictionary, to domain: String, as format: PlistFormat = .binary
  ) throws {
    try Plist.write(.dictionary(values), as: format)
      .write(to: URL(fileURLWithPath: path(of: domain)))
  }

  /// What the file of a domain holds.
  func savedValues(of domain: String) throws -> PlistDictionary {
    let data = try Data(contentsOf: URL(fileURLWithPath: path(of: domain)))
    guard case .dictionary(let values) = try Plist.read(data).value else {
      throw BenchmarkError("\(domain) is no dictionary")
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
    // This program's own command line is none of preferences.
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    return try PreferencesStore(domain: domain, options: options)
  }

  /// Opens a domain with Foundation, in a process to which `XDG_CONFIG_HOME` was given.
  static func foundation(_ domain: String) throws -> UserDefaults {
    guard let defaults = UserDefaults(suiteName: domain) else {
      throw BenchmarkError("Foundation does not open \(domain)")
    }
    return defaults
  }

  /// Opens a domain of the same content twice, in a file for each.
  func open(
    _ sample: SampleDomain, as name: String
  ) throws -> (larder: PreferencesStore, foundation: UserDefaults) {
    let domains = ["org.example.\(name).larder", "org.example.\(name).foundation"]
    for domain in domains { try write(sample.values, to: domain) }
    return (try larder(domains[0]), try Self.foundation(domains[1]))
  }
}
