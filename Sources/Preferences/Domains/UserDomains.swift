internal import FileStorage
internal import Glibc
internal import PropertyList

/// The domains of the user as a tool sees them that stands outside of all applications: each by itself,
/// without the layers around it.
package struct UserDomains: Sendable {
  /// The folders in which files lie.
  package let locations: DomainLocations
  /// The host whose domains are meant; nil for those of all hosts.
  package let host: String?

  /// The domains of a host or, for nil, of all hosts.
  package init(locations: DomainLocations, host: String? = nil) {
    self.locations = locations
    self.host = host
  }

  /// The preferences of one domain, on the one file that keeps them.
  package func store(_ name: String) throws(PreferencesError) -> PreferencesStore {
    try DomainName.check(name)
    return PreferencesStore(fileAt: "\(folder)/\(DomainName.fileName(name))\(ending)")
  }

  /// The preferences of one domain on each of the user's files that this machine reads it from, that of
  /// all hosts first.
  package func allStores(_ name: String) throws(PreferencesError) -> [PreferencesStore] {
    try DomainName.check(name)
    let files = DomainFiles(locations: locations)
    var all = [files.user(name)] + files.userHost(name)
    if name == DomainName.global { all.append(files.misplacedGlobal) }
    return all.compactMap(\.path).map { PreferencesStore(fileAt: $0) }
  }

  /// The names of the domains that have files, in order. The global domain is not among them.
  package func names() throws(PreferencesError) -> [String] {
    let entries: [String]
    do throws(FileSystemError) {
      entries = try Self.entries(of: folder)
    } catch {
      if error.isMissing { return [] }
      throw PreferencesError(error, path: folder)
    }
    // A dot begins the name of the global domain's file, and those of files that are no domains.
    let names = entries.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }
      .map { String($0.dropLast(ending.count)) }
    return names.filter { !$0.isEmpty && $0 != DomainName.global }.sorted()
  }

  /// What is wrong with files of managed preferences for a domain.
  package func managedProblems(of name: String) -> [PreferencesError] {
    DomainFiles(locations: locations).managed(name).compactMap(\.problem)
  }

  private var folder: String {
    host == nil ? locations.user : locations.user + "/ByHost"
  }

  private var ending: String { (host.map { "." + $0 } ?? "") + ".plist" }

  /// The names of the files in a folder.
  private static func entries(of folder: String) throws(FileSystemError) -> [String] {
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
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      var information = stat()
      guard let name, stat(folder + "/" + name, &information) == 0,
        information.st_mode & S_IFMT == S_IFREG
      else { continue }
      names.append(name)
    }
  }
}
