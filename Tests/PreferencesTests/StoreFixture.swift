import FoundationEssentials
import PropertyList
import TestSupport

@testable import Preferences

/// Where the domains of a store are.
enum Backing: String, CaseIterable, Sendable {
  case files, memory
}

/// Stores on a folder of their own, which is removed with the object, or in memory.
final class StoreFixture: Sendable {
  static let domain = "org.example.app"

  let folder: TemporaryFolder
  let locations: DomainLocations
  /// The store that most tests need no other beside.
  let store: PreferencesStore

  init(
    _ backing: Backing = .files, domain: String = StoreFixture.domain, format: PlistFormat? = nil
  ) throws {
    folder = try TemporaryFolder()
    locations = DomainLocations(within: folder.path)
    switch backing {
    case .files: store = try Self.store(domain, in: locations, format: format)
    case .memory: store = .inMemory()
    }
  }

  deinit {
    // The background shall find nothing to save when the folder has gone.
    _ = try? store.flush()
  }

  /// Another store on the same folder, which has to be flushed where it is changed.
  func store(
    _ domain: String = StoreFixture.domain, format: PlistFormat? = nil, arguments: [String] = []
  ) throws -> PreferencesStore {
    try Self.store(domain, in: locations, format: format, arguments: arguments)
  }

  private static func store(
    _ domain: String, in locations: DomainLocations, format: PlistFormat? = nil,
    arguments: [String] = []
  ) throws -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.locations = locations
    options.arguments = ["program"] + arguments
    options.hasOwnRegistration = true
    options.format = format
    return try PreferencesStore(domain: domain, options: options)
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.path(name) }

  /// Puts a property list in the folder.
  func write(_ values: PlistDictionary, to name: String, as format: PlistFormat = .xml) throws {
    let path = path(name)
    try FileManager.default.createDirectory(
      atPath: String(path[..<path.lastIndex(of: "/")!]), withIntermediateDirectories: true)
    try folder.write(try PropertyList.write(.dictionary(values), as: format), to: name)
  }

  /// What a property list in the folder says, as another process would read it.
  func read(_ name: String = "user/\(domain).plist") throws -> PlistDocument {
    try PropertyList.read(try folder.data(name))
  }
}

extension SearchList.Entry {
  /// Changes what a layer holds, and saves it.
  func set(_ value: PlistValue?, forKey key: String) throws {
    switch source {
    case .file(let file):
      file.set(value, forKey: key)
      try file.save()
    case .volatile(let domain):
      var all = domain.all
      all[key] = value
      domain.replaceAll(with: all)
    }
  }
}

extension DomainFile {
  /// Saves what there is to save.
  func save() throws {
    var delivery = Delivery()
    try commit(&delivery)
    delivery.deliver()
  }

  /// Looks for what other processes have saved.
  func look() {
    var delivery = Delivery()
    reload(&delivery)
    delivery.deliver()
  }
}
