internal import FileStorage
internal import Glibc
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
    return PreferencesStore(fileAt: "\(folder)/\(DomainName.fileName(name))\(ending)")
  }

  /// Opens the preferences of one domain in each of the user's files that this machine reads for
  /// it, the file of all hosts first.
  package func allStores(_ name: String) throws(PreferencesError) -> [PreferencesStore] {
    try DomainName.check(name)
    let files = DomainFiles(locations: locations)
    var all = [files.user(name)] + files.userHost(name)
    if name == DomainName.global { all.append(files.misplacedGlobal) }
    return all.compactMap(\.path).map { PreferencesStore(fileAt: $0) }
  }

  /// The sorted names of the domains that have files, without the global domain. A name that is not
  /// UTF-8 has U+FFFD in it; its domain cannot be opened.
  package func names() throws(PreferencesError) -> [String] {
    let entries: [String]
    do throws(FileSystemError) {
      entries = try Self.entries(of: folder)
    } catch {
      if error.isMissing { return [] }
      throw PreferencesError(error, path: folder)
    }
    // Names with a leading dot are the global domain's and those of files that are not domains.
    let names = entries.filter {
      $0.utf8.first != UInt8(ascii: ".")
        && $0.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
    .map { String(decoding: $0.utf8.dropLast(ending.utf8.count), as: UTF8.self) }
    return names.filter { !$0.isEmpty && $0 != DomainName.global }.sorted()
  }

  /// The problems of a domain's managed files.
  package func managedProblems(of name: String) -> [PreferencesError] {
    DomainFiles(locations: locations).managed(name).compactMap(\.problem)
  }

  private var folder: String {
    host == nil ? locations.user : locations.user + "/ByHost"
  }

  private var ending: String { (host.map { "." + $0 } ?? "") + ".plist" }

  /// The names of the regular files in a folder.
  private static func entries(of folder: String) throws(FileSystemError) -> [String] {
    try FilePath.check(folder)
    guard let stream = opendir(folder) else { throw FileSystemError(.listFolder) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw FileSystemError(.listFolder) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { name -> String? in
          var information = stat()
          guard fstatat(dirfd(stream), name, &information, 0) == 0,
            information.st_mode & S_IFMT == S_IFREG
          else { return nil }
          return String(cString: name)
        }
      }
      guard let name else { continue }
      names.append(name)
    }
  }
}
