import Defaults
import Foundation
import PropertyList
import TestSupport

/// A temporary folder with a store of a single property list.
final class FileFixture: Sendable {
  private static let name = "settings.plist"

  let folder: TemporaryFolder
  let store: PreferencesStore

  init() throws {
    folder = try TemporaryFolder()
    store = PreferencesStore(fileAt: folder.path(Self.name))
  }

  deinit {
    // Everything must be saved before the folder is removed.
    try? store.flush()
  }

  /// The file's values, as another process would read them.
  func values() throws -> PlistDictionary {
    guard case .dictionary(let values) = try Plist.read(folder.data(Self.name)).value else {
      return [:]
    }
    return values
  }

  /// Replaces the file, as another process would.
  func replaceFile(with values: PlistDictionary) throws {
    try Plist.write(.dictionary(values), as: .xml)
      .write(to: URL(fileURLWithPath: folder.path(Self.name)), options: .atomic)
  }

  /// A store of a domain in the folder, with command-line arguments.
  func store(arguments: [String]) throws -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.locations = DomainLocations(within: folder.path)
    options.arguments = ["program"] + arguments
    options.usesPrivateRegistrationDomain = true
    return try PreferencesStore(domain: "org.example.keys", options: options)
  }
}
