import Defaults
import Foundation
import PropertyList
import TestSupport

/// A folder with a store of one property list.
final class KeyFolder {
  let folder: TemporaryFolder
  let store: PreferencesStore

  init() throws {
    folder = try TemporaryFolder()
    store = PreferencesStore(fileAt: folder.path("settings.plist"))
  }

  deinit {
    // The background shall find nothing to save when the folder has gone.
    try? store.flush()
  }

  /// What the file holds under a key, as another process would read it.
  func fileValue(_ key: String) throws -> PlistValue? {
    try values()[key]
  }

  /// What the file holds.
  func values() throws -> PlistDictionary {
    guard
      case .dictionary(let values) = try Plist.read(folder.data("settings.plist")).value
    else { return [:] }
    return values
  }

  /// A store of a domain whose file is in the folder, with a command line.
  func store(arguments: [String]) throws -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.locations = DomainLocations(within: folder.path)
    options.arguments = ["program"] + arguments
    options.usesPrivateRegistrationDomain = true
    return try PreferencesStore(domain: "org.example.keys", options: options)
  }
}
