import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

/// The place of a store's domains.
enum Backing: String, CaseIterable, Sendable {
  case files, memory
}

/// Stores in a temporary folder or in memory.
final class StoreFixture: Sendable {
  static let domain = "org.example.app"

  let folder: TemporaryFolder
  let locations: DomainLocations
  /// The store of the fixture's domain.
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
    // Everything must be saved before the folder is removed.
    _ = try? store.flush()
  }

  /// Another store on the same folder. Tests that change it flush it.
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
    options.usesPrivateRegistrationDomain = true
    options.format = format
    return try PreferencesStore(domain: domain, options: options)
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder.path(name) }

  /// Writes a property list to a file of the folder, creating its parents.
  func write(_ values: PlistDictionary, to name: String, as format: PlistFormat = .xml) throws {
    let path = path(name)
    try FileManager.default.createDirectory(
      atPath: String(path[..<path.lastIndex(of: "/")!]), withIntermediateDirectories: true)
    try folder.write(try Plist.write(.dictionary(values), as: format), to: name)
  }

  /// Reads a property list of the folder, as another process would.
  func read(_ name: String = "user/\(domain).plist") throws -> PlistDocument {
    try Plist.read(try folder.data(name))
  }
}

extension SearchList.Entry {
  /// Changes a value of the layer and saves it.
  func set(_ value: PlistValue?, forKey key: String) throws {
    switch source {
    case .file(let file):
      file.set(value, forKey: key)
      try file.save()
    case .volatile(let domain):
      var all = domain.all
      all[key] = value
      domain.replaceAll(with: all)
    case .environment: Issue.record("variables of the environment cannot be set")
    }
  }
}

extension DomainFile {
  /// A domain on a file by itself, as another process has it.
  convenience init(path: String?) {
    self.init(path.map { .file($0) } ?? .memory, runtime: PreferencesEngine.process.runtime)
  }

  /// Commits unsaved changes and notifies observers.
  func save() throws {
    var delivery = Delivery()
    try commit(within: TimeLimit(.seconds(10)), &delivery)
    delivery.deliver()
  }

  /// Reads changes by other processes and notifies observers.
  func refresh() {
    var delivery = Delivery()
    reload(within: TimeLimit(.seconds(10)), &delivery)
    delivery.deliver()
  }
}
