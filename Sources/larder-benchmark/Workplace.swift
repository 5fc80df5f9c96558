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

  /// Makes a new folder where there is a disk.
  static func makeFolder(in place: String?) throws -> String {
    let places =
      place.map { [$0] }
      ?? [
        FileManager.default.currentDirectoryPath + "/.build",
        ProcessInfo.processInfo.environment["TMPDIR"] ?? "", "/var/tmp", "/tmp",
      ]
    let usable = places.filter { access($0, W_OK | X_OK) == 0 }.compactMap { place in
      realpath(place, nil).map { path in
        defer { free(path) }
        return String(cString: path)
      }
    }
    guard let parent = usable.first(where: { !Machine.isInMemory($0) }) ?? usable.first else {
      throw BenchmarkError("no folder to work in: \(places.joined(separator: ", "))")
    }
    guard let path = strdup(parent + "/larder-benchmark.XXXXXX") else { throw noFolder(parent) }
    defer { free(path) }
    guard mkdtemp(path) != nil else { throw noFolder(parent) }
    let folder = String(cString: path)
    try FileManager.default.createDirectory(
      atPath: locations(in: folder).user, withIntermediateDirectories: true)
    return folder
  }

  private static func noFolder(_ parent: String) -> BenchmarkError {
    BenchmarkError("cannot make a folder in \(parent): error \(errno)")
  }

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
    try PropertyList.write(.dictionary(values), as: format)
      .write(to: URL(fileURLWithPath: path(of: domain)))
  }

  /// What the file of a domain holds.
  func savedValues(of domain: String) throws -> PlistDictionary {
    let data = try Data(contentsOf: URL(fileURLWithPath: path(of: domain)))
    guard case .dictionary(let values) = try PropertyList.read(data).value else {
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
    options.hasOwnRegistration = true
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

/// Makes sure that what is measured does what it should.
func ensure(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw BenchmarkError(message()) }
}
