internal import FileStorage
package import Preferences
internal import PropertyList

extension ManagedPreferencesReplica {
  /// The paths, by domain, of the managed files with keys that are unchanged since a replica with a
  /// state file wrote them; none if the state file cannot be read.
  ///
  /// - Parameter isWanted: Returns whether to check a domain.
  package static func files(
    ofStateFileAt path: String, locations: DomainLocations = .standard,
    where isWanted: (String) -> Bool
  ) -> [String: String] {
    guard let data = try? AtomicFile.read(path),
      case .dictionary(let values)? = try? Plist.read(data).value
    else { return [:] }
    let folder = ManagedFolder(locations)
    var files: [String: String] = [:]
    for (domain, known) in ManagedState(values).files where isWanted(domain.text) {
      let file = folder.file(of: domain.text)
      guard let data = try? AtomicFile.read(file),
        known.hashes.contains(ManagedState.hash(data)),
        (try? Plist.read(data).value) != .dictionary([:])
      else { continue }
      files[domain.text] = file
    }
    return files
  }
}
