internal import FileStorage
internal import PropertyList
internal import Threading

/// The domains of an engine that are in use: its stores that name the same file share one domain.
final class DomainRegistry: Sendable {
  /// The identity of a file. Paths and names are compared by their bytes, as the kernel does:
  /// strings that only look the same name different files.
  private enum Key: Hashable {
    /// A file by its path, which stays the same when its folder is created or replaced later.
    case path(ByteKey, isManaged: Bool)
    /// A file by the identity of its folder, whichever path leads there, and its own name.
    case file(device: UInt64, inode: UInt64, name: ByteKey, isManaged: Bool)
  }

  private struct Reference {
    weak var file: DomainFile?
  }

  private struct State {
    var references: [Key: Reference] = [:]
    /// The number of references at which those to released domains are removed.
    var limit = 64
  }

  private let state = Lock(State())

  /// The domain that a file stores.
  ///
  /// - Parameters:
  ///   - path: The path of the file; a relative one begins in the current working directory.
  ///   - format: The format that the file is held to from now on; nil to leave that as it is.
  ///   - isManaged: Whether the file counts only if nobody but root can have written it.
  ///   - looks: What was found of the file's folder; nil to look at it.
  ///   - engine: The engine to which the domains belong.
  func file(
    _ path: String, format: PlistFormat? = nil, isManaged: Bool = false, looks: FolderLooks? = nil,
    engine: PreferencesEngine
  ) -> DomainFile {
    ForkGate.shared.delayingForks {
      find(FilePath.absolute(path), format, isManaged, looks, engine)
    }
  }

  /// The domains of all files that are in use.
  var files: [DomainFile] {
    let files = state.withLock { $0.references.values.compactMap(\.file) }
    var seen: Set<ObjectIdentifier> = []
    return files.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  private func find(
    _ path: String, _ format: PlistFormat?, _ isManaged: Bool, _ looks: FolderLooks?,
    _ engine: PreferencesEngine
  ) -> DomainFile {
    let looks = looks ?? Self.look(atFoldersOf: [path])
    let keys = Self.keys(path, isManaged: isManaged, looks)
    while true {
      let candidates = state.withLock { Self.candidates(for: keys, in: $0) }
      // The inode of a folder that was removed may have been reused. This is found out without the
      // lock: a file system that does not answer must not keep others from their files.
      let present = Self.look(atFoldersOf: candidates.compactMap(\.file.path))
      let known = candidates.first { Self.keys(of: $0.file, present).contains($0.key) }?.file
      // Retains domains whose last reference must not be released under the lock.
      var retained: [DomainFile] = []
      let file = state.withLock { state -> DomainFile? in
        let current = Self.candidates(for: keys, in: state).map(\.file)
        retained = current
        // Another thread may have opened the file meanwhile.
        guard current.elementsEqual(candidates, by: { $0 === $1.file }) else { return nil }
        let file =
          known
          ?? DomainFile(
            path: path, isManaged: isManaged, isFolderMissing: looks.isFolderMissing(of: path),
            engine: engine)
        for key in keys { state.references[key] = Reference(file: file) }
        if state.references.count > state.limit {
          state.references = state.references.filter { entry in
            entry.value.file.map { retained.append($0) } != nil
          }
          state.limit = max(64, state.references.count * 2)
        }
        return file
      }
      withExtendedLifetime(retained) {}
      guard let file else { continue }
      if let format { file.pin(format) }
      return file
    }
  }

  /// The domains that were last opened by any of the keys.
  private static func candidates(
    for keys: [Key], in state: State
  ) -> [(key: Key, file: DomainFile)] {
    keys.compactMap { key in state.references[key]?.file.map { (key, $0) } }
  }

  private static func look(atFoldersOf files: [String]) -> FolderLooks {
    FolderLooks(at: files.compactMap(FolderLooks.path(ofFolderOf:)))
  }

  private static func keys(of file: DomainFile, _ looks: FolderLooks) -> [Key] {
    file.path.map { keys($0, isManaged: file.isManaged, looks) } ?? []
  }

  private static func keys(_ path: String, isManaged: Bool, _ looks: FolderLooks) -> [Key] {
    let byPath = Key.path(ByteKey(path), isManaged: isManaged)
    guard case .present(let device, let inode) = looks.folder(of: path),
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return [byPath] }
    let byFile = Key.file(
      device: device, inode: inode,
      name: ByteKey(String(path[path.utf8.index(after: slash)...])), isManaged: isManaged)
    return [byPath, byFile]
  }
}
