internal import FileStorage
package import Preferences
internal import PropertyList

extension ManagedPreferencesReplica {
  /// The paths of the managed files that the replicas with a state file have written, by domain; none if
  /// the state file cannot be read.
  package static func files(
    ofStateFileAt path: String, locations: DomainLocations = .standard
  ) -> [String: String] {
    guard let data = try? AtomicFile.read(path),
      case .dictionary(let values)? = try? Plist.read(data).value
    else { return [:] }
    let folder = ManagedFolder(locations)
    var files: [String: String] = [:]
    for domain in ManagedState(values).files.keys {
      files[domain.text] = folder.file(of: domain.text)
    }
    return files
  }
}
