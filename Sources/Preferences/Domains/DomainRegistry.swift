internal import Glibc
internal import PropertyList
internal import Threading

/// The domains that are in use in the process: whoever names the same file gets the same domain.
final class DomainRegistry: Sendable {
  static let shared = DomainRegistry()

  private enum Key: Hashable {
    /// A file by its path, which is the same file even when its folder is made or replaced later.
    case path(String, isManaged: Bool)
    /// A file by its folder, however that was named, and its own name.
    case file(device: UInt64, inode: UInt64, name: String, isManaged: Bool)
  }

  private struct Reference {
    weak var file: DomainFile?
  }

  private struct State {
    var references: [Key: Reference] = [:]
    /// At how many references those that lead nowhere are removed.
    var limit = 64
  }

  private let state = Lock(State())

  /// The domain that a file keeps. A relative path is taken from the present working directory.
  ///
  /// - Parameter format: The format that the file is held to from now on; nil to leave that.
  func file(_ path: String, format: PlistFormat? = nil, isManaged: Bool = false) -> DomainFile {
    let path = Self.absolute(path)
    let keys = Self.keys(path, isManaged: isManaged)
    // Whoever is looked at may have nobody else left to keep it, and must not go while the lock is held.
    var seen: [DomainFile] = []
    let file = state.withLock { state in
      let known = keys.first { key in
        guard let file = state.references[key]?.file else { return false }
        seen.append(file)
        // The number of a folder that was removed may be another one's by now.
        return Self.keys(of: file).contains(key)
      }
      let file =
        (known == nil ? nil : seen.last) ?? DomainFile(path: path, isManaged: isManaged)
      for key in keys { state.references[key] = Reference(file: file) }
      if state.references.count > state.limit {
        state.references = state.references.filter { entry in
          entry.value.file.map { seen.append($0) } != nil
        }
        state.limit = max(64, state.references.count * 2)
      }
      return file
    }
    withExtendedLifetime(seen) {}
    if let format { file.pin(format) }
    return file
  }

  private static func absolute(_ path: String) -> String {
    guard path.utf8.first != UInt8(ascii: "/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  private static func keys(of file: DomainFile) -> [Key] {
    file.path.map { keys($0, isManaged: file.isManaged) } ?? []
  }

  private static func keys(_ path: String, isManaged: Bool) -> [Key] {
    let byPath = Key.path(path, isManaged: isManaged)
    var information = stat()
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      stat(String(path[...slash]), &information) == 0
    else { return [byPath] }
    let byFile = Key.file(
      device: UInt64(information.st_dev), inode: UInt64(information.st_ino),
      name: String(path[path.utf8.index(after: slash)...]), isManaged: isManaged)
    return [byPath, byFile]
  }
}
