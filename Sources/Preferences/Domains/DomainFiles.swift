internal import PropertyList
internal import Threading

/// The domains that keep the layers of a store: files, or what takes their place in memory.
struct DomainFiles: Sendable {
  private let locations: DomainLocations
  /// The domains of a store that saves nothing, by the paths that their files would have.
  private let memory: Lock<[String: DomainFile]>?

  /// Domains in the files of these folders, shared by the process.
  init(locations: DomainLocations) {
    self.locations = locations
    memory = nil
  }

  /// Domains in memory, which nobody else has.
  static func inMemory() -> DomainFiles { DomainFiles() }

  private init() {
    locations = DomainLocations(within: "")
    memory = Lock([:])
  }

  /// The file of the user that sets and removals go to.
  func user(_ domain: String, format: PlistFormat? = nil) -> DomainFile {
    file(domain, in: locations.user, format: format)
  }

  /// The files of the user on this machine: ours, and the one that Foundation, which knows no hosts
  /// on Linux, writes.
  func userHost(_ domain: String) -> [DomainFile] {
    [locations.hostIdentifier, ""].map { host in
      file(domain, host: ".\(host)", in: hostFolder)
    }
  }

  /// The folder of the domains that are for one machine each.
  var hostFolder: String { locations.user + "/ByHost" }

  /// The file that Foundation takes for the global domain on Linux.
  var misplacedGlobal: DomainFile {
    file(at: "\(locations.user)/\(DomainName.global).plist")
  }

  /// The files of defaults for all users.
  func system(_ domain: String) -> [DomainFile] {
    locations.system.map { file(domain, in: $0) }
  }

  /// The files of values that users cannot change.
  func managed(_ domain: String) -> [DomainFile] {
    locations.managed.map { folder in
      file(domain, in: folder, isManaged: locations.checksManagedOwnership)
    }
  }

  private func file(
    _ domain: String, host: String = "", in folder: String, format: PlistFormat? = nil,
    isManaged: Bool = false
  ) -> DomainFile {
    file(
      at: "\(folder)/\(DomainName.fileName(domain))\(host).plist", format: format,
      isManaged: isManaged)
  }

  private func file(
    at path: String, format: PlistFormat? = nil, isManaged: Bool = false
  ) -> DomainFile {
    guard let memory else {
      return DomainRegistry.shared.file(path, format: format, isManaged: isManaged)
    }
    return memory.withLock { domains in
      if let domain = domains[path] { return domain }
      let domain = DomainFile(path: nil)
      domains[path] = domain
      return domain
    }
  }
}
