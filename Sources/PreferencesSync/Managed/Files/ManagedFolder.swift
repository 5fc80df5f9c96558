internal import FileStorage
internal import FoundationEssentials
internal import Preferences

/// The folder of the managed files for all users.
struct ManagedFolder: Sendable {
  private let path: String
  private let checksOwnership: Bool

  init(_ locations: DomainLocations) {
    // The last folder is searched for every user.
    path = locations.managed.last ?? ""
    checksOwnership = locations.checksManagedOwnership
  }

  func file(of domain: String) -> String { "\(path)/\(domain).plist" }

  /// Replaces the file of a domain atomically, unless it holds the contents already.
  ///
  /// - Parameters:
  ///   - isNeeded: Whether the file is created if it is missing.
  ///   - isOwn: Returns whether different contents of the file were written by the replica.
  /// - Throws: ``ManagedPreferencesError/foreignFile(path:)``, `file` or `untrustedFile`.
  func write(
    _ data: Data, domain: String, isNeeded: Bool, over isOwn: (Data) -> Bool
  ) throws(ManagedPreferencesError) {
    let path = file(of: domain)
    do throws(UpdateError<ManagedPreferencesError>) {
      // All users may read it, whatever the umask of the process.
      try file(path).update(limit: Self.largestFile, permissions: 0o644) {
        present throws(ManagedPreferencesError) in
        guard let contents = present.contents else { return isNeeded ? data : nil }
        if contents.data == data { return nil }
        guard isOwn(contents.data) else { throw .foreignFile(path: path) }
        return data
      }
    } catch {
      switch error {
      case .body(let error): throw error
      case .file(let error): throw .file(PreferencesError(error, path: path))
      }
    }
    if isNeeded, checksOwnership, !ManagedOwnership.isTrusted(path) {
      throw .untrustedFile(path: path)
    }
  }

  private func file(
    _ path: String
  ) throws(UpdateError<ManagedPreferencesError>) -> AtomicFile {
    do throws(FileSystemError) {
      do throws(FileSystemError) { return try AtomicFile(path) } catch {
        guard error.isMissing else { throw error }
        try AtomicFile.createFolder(of: path, isPrivate: false)
      }
      return try AtomicFile(path)
    } catch {
      throw .file(error)
    }
  }

  /// The size of the largest file that is read, more than any that was written here.
  private static let largestFile = 256 << 20
}
