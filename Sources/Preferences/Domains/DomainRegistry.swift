internal import FileStorage
internal import PropertyList
internal import Threading

/// An engine's domains in use. Stores of the same file share one domain.
final class DomainRegistry: Sendable {
  /// The identity of a file. Like the kernel, it compares paths and names by their bytes:
  /// equivalent strings may name different files.
  private enum Key: Hashable {
    /// The path, which stays the same when the folder is created or replaced later.
    case path(ByteKey, isManaged: Bool)
    /// The identity of the folder, whatever its path, and the name of the file.
    case file(device: UInt64, inode: UInt64, name: ByteKey, isManaged: Bool)
  }

  private struct Reference {
    weak var file: DomainFile?
  }

  private struct State {
    var references: [Key: Reference] = [:]
    /// The domains whose folder was missing when they were opened, by the names of their files:
    /// only the latest ones, because all of their folders are checked. They have no key for the
    /// folder's identity yet.
    private(set) var folderless: [ByteKey: [Reference]] = [:]
    /// With more references than this, references to released domains are removed.
    var limit = 64

    mutating func addFolderless(_ file: DomainFile, named name: ByteKey) {
      let others = folderless[name]?.suffix(99) ?? []
      folderless[name] = others + [Reference(file: file)]
    }

    /// Removes the references to released domains, and adds the others to an array that keeps them.
    mutating func prune(_ retained: inout [DomainFile]) {
      references = references.filter { entry in
        entry.value.file.map { retained.append($0) } != nil
      }
      folderless = folderless.compactMapValues { references in
        let used = references.filter { $0.file.map { retained.append($0) } != nil }
        return used.isEmpty ? nil : used
      }
      limit = max(64, references.count * 2)
    }
  }

  private let runtime: Runtime
  private let state = Lock(State())

  init(_ runtime: Runtime) { self.runtime = runtime }

  /// Returns the domain of a file. A relative path begins in the working directory.
  ///
  /// - Parameters:
  ///   - format: The format to hold the file to from now on; nil for no change.
  ///   - isManaged: Whether the file counts only if no user but root can have written it.
  ///   - folders: The state of the file's folder; nil to check it.
  func file(
    _ path: String, format: PlistFormat? = nil, isManaged: Bool = false,
    folders: FolderStates? = nil
  ) -> DomainFile {
    ForkGate.shared.delayingForks {
      find(FilePath.absolute(path), format, isManaged, folders)
    }
  }

  /// All domains in use, each once.
  var files: [DomainFile] {
    let files = state.withLock { $0.references.values.compactMap(\.file) }
    var seen: Set<ObjectIdentifier> = []
    return files.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  private func find(
    _ path: String, _ format: PlistFormat?, _ isManaged: Bool, _ folders: FolderStates?
  ) -> DomainFile {
    let folders = folders ?? Self.states(ofFoldersOf: [path])
    let keys = Self.keys(path, isManaged: isManaged, folders)
    while true {
      let candidates = state.withLock { Self.candidates(for: keys, folders, in: $0) }
      // A removed folder's inode may have been reused. This is checked without the lock: a file
      // system that does not respond must not block the opening of other files.
      let present = Self.states(ofFoldersOf: candidates.compactMap(\.file.path))
      let known = candidates.first { Self.keys(of: $0.file, present).contains($0.key) }?.file
      // Keeps domains alive until the lock is released: their last reference must not be released
      // under it.
      var retained: [DomainFile] = []
      let file = state.withLock { state -> DomainFile? in
        let current = Self.candidates(for: keys, folders, in: state).map(\.file)
        retained = current
        // Another thread may have opened the file since.
        guard current.elementsEqual(candidates, by: { $0 === $1.file }) else { return nil }
        let file =
          known
          ?? DomainFile(
            isManaged ? .managedFile(path) : .file(path),
            folders.isFolderMissing(of: path) ? .unopenedWithoutFolder : .unopened,
            runtime: runtime)
        for key in keys { state.references[key] = Reference(file: file) }
        if known == nil, keys.count == 1 {
          state.addFolderless(file, named: Self.name(of: path))
        }
        if state.references.count > state.limit { state.prune(&retained) }
        return file
      }
      withExtendedLifetime(retained) {}
      guard let file else { continue }
      if let format { file.pin(format) }
      return file
    }
  }

  /// The domains last opened by any of the keys, and the domains whose folder was missing and may
  /// be the one that the keys now lead to.
  private static func candidates(
    for keys: [Key], _ folders: FolderStates, in state: State
  ) -> [(key: Key, file: DomainFile)] {
    var found = keys.compactMap { key in state.references[key]?.file.map { (key, $0) } }
    if let key = keys.last, case .file(_, _, let name, let isManaged) = key,
      state.references[key]?.file == nil
    {
      found += (state.folderless[name] ?? []).compactMap(\.file)
        .filter { file in
          file.isManaged == isManaged && file.path.map { !folders.isFolderMissing(of: $0) } ?? false
        }
        .map { (key, $0) }
    }
    return found
  }

  private static func states(ofFoldersOf files: [String]) -> FolderStates {
    FolderStates(at: files.compactMap(FolderStates.path(ofFolderOf:)))
  }

  private static func keys(of file: DomainFile, _ folders: FolderStates) -> [Key] {
    file.path.map { keys($0, isManaged: file.isManaged, folders) } ?? []
  }

  private static func keys(_ path: String, isManaged: Bool, _ folders: FolderStates) -> [Key] {
    let byPath = Key.path(ByteKey(path), isManaged: isManaged)
    guard case .present(let device, let inode) = folders.folder(of: path) else { return [byPath] }
    let byFile = Key.file(
      device: device, inode: inode, name: name(of: path), isManaged: isManaged)
    return [byPath, byFile]
  }

  private static func name(of path: String) -> ByteKey {
    ByteKey(FilePath.split(path).name)
  }
}
