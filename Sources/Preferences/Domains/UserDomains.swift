internal import FileStorage
internal import PropertyList

/// The user's domains as a tool outside all applications sees them: each by itself, without other
/// layers.
package struct UserDomains: Sendable {
  /// The folders that contain the files.
  package let locations: DomainLocations
  /// The host of the domains; nil for domains of all hosts.
  package let host: String?

  /// Creates the domains of a host or, for nil, of all hosts.
  package init(locations: DomainLocations, host: String? = nil) {
    self.locations = locations
    self.host = host
  }

  /// Opens the preferences of one domain, in the one file that stores them.
  package func store(_ name: String) throws(PreferencesError) -> PreferencesStore {
    try DomainName.check(name)
    try locations.checkUserFolder()
    return PreferencesStore(fileAt: "\(folder)/\(DomainName.fileName(name))\(ending)")
  }

  /// Opens the preferences of one domain in each of the user's files that this machine reads for
  /// it, the file of all hosts first.
  package func allStores(_ name: String) throws(PreferencesError) -> [PreferencesStore] {
    try DomainName.check(name)
    try locations.checkUserFolder()
    let files = DomainFiles(locations: locations, engine: .process)
    let looks = files.lookAtFolders()
    var all = [files.user(name, looks: looks)] + files.userHost(name, looks: looks)
    if name == DomainName.global { all.append(files.misplacedGlobal(looks: looks)) }
    return all.compactMap(\.path).map { PreferencesStore(fileAt: $0) }
  }

  /// The sorted names of the domains that have files, without the global domain. A name that is not
  /// UTF-8 has U+FFFD in it; its domain cannot be opened.
  package func names() throws(PreferencesError) -> [String] {
    try locations.checkUserFolder()
    let ending = ending
    let files: [String]
    do throws(FileSystemError) {
      // Names with a leading dot are the global domain's and those of files that are not domains.
      files = try FolderListing.files(in: folder) { name in
        name.utf8.first != UInt8(ascii: ".")
          && name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
      }
    } catch {
      if error.isMissing { return [] }
      throw PreferencesError(error, path: folder)
    }
    let names = files.map {
      String(decoding: $0.utf8.dropLast(ending.utf8.count), as: UTF8.self)
    }
    return names.filter { !$0.isEmpty && $0 != DomainName.global }.sorted()
  }

  /// The problems of a domain's managed files.
  package func managedProblems(of name: String) -> [PreferencesError] {
    DomainFiles(locations: locations, engine: .process).managed(name).compactMap(\.problem)
  }

  private var folder: String {
    host == nil ? locations.user : locations.user + "/ByHost"
  }

  private var ending: String { (host.map { "." + $0 } ?? "") + ".plist" }
}
