internal import FileStorage
internal import PropertyList

/// The user's domains as tools see them: separately, without other layers.
package struct UserDomains: Sendable {
  package let locations: DomainLocations
  /// Nil for the domains of all hosts.
  package let host: String?

  package init(locations: DomainLocations, host: String? = nil) {
    self.locations = locations
    self.host = host
  }

  /// Opens a domain's file as a store.
  package func store(_ name: String) throws(PreferencesError) -> PreferencesStore {
    try DomainName.check(name)
    try locations.checkUserFolder()
    return PreferencesStore(fileAt: "\(folder)/\(DomainFileName.name(name, host: host))")
  }

  /// Opens each of the user's files that this machine reads for a domain, the file for all hosts
  /// first.
  package func allStores(_ name: String) throws(PreferencesError) -> [PreferencesStore] {
    try DomainName.check(name)
    try locations.checkUserFolder()
    let files = LayerFiles(locations: locations, engine: .process).checkingFolders()
    return files.allOfUser(name).compactMap(\.path).map { PreferencesStore(fileAt: $0) }
  }

  /// The sorted names of the domains that have files, without the global domain. In a name that is
  /// not UTF-8, U+FFFD replaces invalid bytes; such a domain cannot be opened.
  package func names() throws(PreferencesError) -> [String] {
    try locations.checkUserFolder()
    let ending = DomainFileName.ending(host: host)
    let files: [String]
    do throws(FileSystemError) {
      // The global domain and files that are not domains have names with a leading dot.
      files = try FolderListing.files(in: folder) { name in
        name.utf8.first != UInt8(ascii: ".")
          && name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
      }
    } catch {
      if error.isMissing { return [] }
      throw PreferencesError(error, path: folder)
    }
    let names = files.map { String(decoding: $0.utf8.dropLast(ending.utf8.count), as: UTF8.self) }
    return names.filter { !$0.isEmpty && $0 != DomainName.global }.sorted()
  }

  /// Whether there is a file of any domain, including the global domain.
  package var hasFiles: Bool {
    let ending = DomainFileName.ending(host: host)
    let files = try? FolderListing.files(in: folder) {
      $0.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
    return files?.isEmpty == false
  }

  package func managedProblems(of name: String) -> [PreferencesError] {
    LayerFiles(locations: locations, engine: .process).managed(name).compactMap(\.problem)
  }

  private var folder: String { host == nil ? locations.user : locations.hostFolder }
}
