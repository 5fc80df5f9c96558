internal import FileStorage
internal import PropertyList
internal import Threading

/// The domains of a store's layers, in files or in memory.
struct LayerFiles: Sendable {
  private let locations: DomainLocations
  private let engine: PreferencesEngine
  /// For a store that saves nothing: its domains by the paths that their files would have.
  private let memory: Lock<[ByteKey: DomainFile]>?
  /// The states of the files' folders; nil to check a folder whenever a file is opened.
  private var folders: FolderStates?

  /// Domains in files are shared by the stores of an engine; domains in memory are not.
  init(
    locations: DomainLocations, engine: PreferencesEngine,
    memory: Lock<[ByteKey: DomainFile]>? = nil
  ) {
    self.locations = locations
    self.engine = engine
    self.memory = memory
  }

  static func inMemory(engine: PreferencesEngine) -> LayerFiles {
    LayerFiles(locations: DomainLocations(within: ""), engine: engine, memory: Lock([:]))
  }

  /// The same domains, with each folder checked once, at this moment.
  func checkingFolders() -> LayerFiles {
    if memory != nil { return self }
    var files = self
    files.folders = FolderStates(
      at: [locations.user, locations.hostFolder] + locations.system + locations.managed)
    return files
  }

  /// The user's file, to which changes are saved.
  func user(_ domain: String, format: PlistFormat? = nil) -> DomainFile {
    file(domain, in: locations.user, format: format)
  }

  /// The user's files on this host: Larder's, and Foundation's, which does not distinguish hosts on
  /// Linux. A file whose name would be too long cannot exist.
  func userHost(_ domain: String) -> [DomainFile] {
    [locations.hostIdentifier, ""].compactMap { host in
      FileName.isPossible(DomainFileName.name(domain, host: host))
        ? file(domain, host: host, in: locations.hostFolder) : nil
    }
  }

  /// The file that Foundation uses for the global domain on Linux by mistake.
  func misplacedGlobal() -> DomainFile {
    file(at: "\(locations.user)/\(DomainName.global).plist")
  }

  /// All of the user's files that are read on this host for a domain, the file of all hosts first.
  func allOfUser(_ domain: String) -> [DomainFile] {
    [user(domain)] + userHost(domain) + (domain == DomainName.global ? [misplacedGlobal()] : [])
  }

  func system(_ domain: String) -> [DomainFile] {
    locations.system.map { file(domain, in: $0) }
  }

  func managed(_ domain: String) -> [DomainFile] {
    locations.managed.map { folder in
      file(domain, in: folder, isManaged: locations.checksManagedOwnership)
    }
  }

  private func file(
    _ domain: String, host: String? = nil, in folder: String, format: PlistFormat? = nil,
    isManaged: Bool = false
  ) -> DomainFile {
    file(
      at: "\(folder)/\(DomainFileName.name(domain, host: host))", format: format,
      isManaged: isManaged)
  }

  private func file(
    at path: String, format: PlistFormat? = nil, isManaged: Bool = false
  ) -> DomainFile {
    guard let memory else {
      return engine.registry.file(path, format: format, isManaged: isManaged, folders: folders)
    }
    return memory.withLock { domains in
      let key = ByteKey(path)
      if let domain = domains[key] { return domain }
      let domain = DomainFile(.memory, runtime: engine.runtime)
      domains[key] = domain
      return domain
    }
  }
}
