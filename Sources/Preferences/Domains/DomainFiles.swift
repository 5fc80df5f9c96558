internal import PropertyList
internal import Threading

/// The domains of the layers of a store: in files, or in memory for a store that saves nothing.
struct DomainFiles: Sendable {
  private let locations: DomainLocations
  private let engine: PreferencesEngine
  /// The domains of a store that saves nothing, by the paths that their files would have; nil for
  /// files.
  private let memory: Lock<[ByteKey: DomainFile]>?

  /// Domains in the files of these folders, shared by the stores of an engine.
  init(locations: DomainLocations, engine: PreferencesEngine) {
    self.init(locations, engine, memory: nil)
  }

  /// Domains in memory, shared with no other store.
  static func inMemory(engine: PreferencesEngine) -> DomainFiles {
    DomainFiles(DomainLocations(within: ""), engine, memory: Lock([:]))
  }

  private init(
    _ locations: DomainLocations, _ engine: PreferencesEngine,
    memory: Lock<[ByteKey: DomainFile]>?
  ) {
    self.locations = locations
    self.engine = engine
    self.memory = memory
  }

  /// Looks at the folders of all files.
  func lookAtFolders() -> FolderLooks {
    if memory != nil { return FolderLooks() }
    return FolderLooks(
      at: [locations.user, hostFolder] + locations.system + locations.managed)
  }

  /// The user's file, to which values are set and from which they are removed.
  func user(
    _ domain: String, format: PlistFormat? = nil, looks: FolderLooks? = nil
  ) -> DomainFile {
    file(domain, in: locations.user, format: format, looks: looks)
  }

  /// The user's files on this host: Larder's, and the one that Foundation writes, which does not
  /// distinguish hosts on Linux.
  func userHost(_ domain: String, looks: FolderLooks? = nil) -> [DomainFile] {
    [locations.hostIdentifier, ""].map { host in
      file(domain, host: ".\(host)", in: hostFolder, looks: looks)
    }
  }

  /// The folder of domains for single hosts.
  var hostFolder: String { locations.user + "/ByHost" }

  /// The file that Foundation uses for the global domain on Linux, by mistake.
  func misplacedGlobal(looks: FolderLooks? = nil) -> DomainFile {
    file(at: "\(locations.user)/\(DomainName.global).plist", looks: looks)
  }

  /// The files of defaults for all users.
  func system(_ domain: String, looks: FolderLooks? = nil) -> [DomainFile] {
    locations.system.map { file(domain, in: $0, looks: looks) }
  }

  /// The files of values that users cannot change.
  func managed(_ domain: String, looks: FolderLooks? = nil) -> [DomainFile] {
    locations.managed.map { folder in
      file(domain, in: folder, isManaged: locations.checksManagedOwnership, looks: looks)
    }
  }

  private func file(
    _ domain: String, host: String = "", in folder: String, format: PlistFormat? = nil,
    isManaged: Bool = false, looks: FolderLooks?
  ) -> DomainFile {
    file(
      at: "\(folder)/\(DomainName.fileName(domain))\(host).plist", format: format,
      isManaged: isManaged, looks: looks)
  }

  private func file(
    at path: String, format: PlistFormat? = nil, isManaged: Bool = false, looks: FolderLooks?
  ) -> DomainFile {
    guard let memory else {
      return engine.registry.file(
        path, format: format, isManaged: isManaged, looks: looks, engine: engine)
    }
    return memory.withLock { domains in
      let key = ByteKey(path)
      if let domain = domains[key] { return domain }
      let domain = DomainFile(path: nil, engine: engine)
      domains[key] = domain
      return domain
    }
  }
}
