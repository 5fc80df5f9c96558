internal import FileStorage
internal import FoundationEssentials
internal import PropertyList
internal import Threading

/// Checks of the contents of the file, and the copy of the last ones that were good.
extension DomainFile {
  /// Throws where the program does not accept the values of the file.
  typealias Check = @Sendable (PlistDictionary) throws -> Void

  /// Adds a check that contents have to pass from the next reading on, until the handle is canceled or
  /// released and all changes are saved: contents that were refused must not be replaced by what was
  /// set while they were.
  func add(_ check: @escaping Check) -> PreferencesObservation {
    let number = StateLock.change { $0[state].madeConstraints().add(check) }
    return PreferencesObservation {
      // Released when the lock is not held: its captures may be a user's objects.
      let removed = StateLock.change { change in
        change[self.state].constraints?
          .removeCheck(number, hasChanges: self.values.hasChanges(in: change))
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Keeps a copy of good contents in a folder from the next reading on.
  func keepCopy(in folder: String) {
    guard let path else { return }
    let copy = Self.copyPath(of: path, in: folder)
    StateLock.change { $0[state].madeConstraints().copyPath = copy }
  }

  /// The path of the copy of a file in a folder.
  static func copyPath(of path: String, in folder: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let hash = String(FNV1a.hash(path), radix: 16)
    return FilePath.absolute(folder + "/" + FileName.make("", name, "-" + hash))
  }

  /// Whether values may be left to be decoded later: checks and copies need all of them.
  var allowsLazyValues: Bool {
    StateLock.change { change in
      guard let constraints = change[state].constraints else { return true }
      return constraints.checks.isEmpty && constraints.copyPath == nil
    }
  }

  /// Refuses contents that a check does not accept. A file that does not exist has nothing to check.
  func check(_ contents: DomainContents, _ turn: borrowing Turn) throws(PreferencesError) {
    guard let path, contents.version != nil else { return }
    let checks = StateLock.change { $0[state].constraints?.checks } ?? [:]
    for (_, check) in checks.sorted(by: { $0.key < $1.key }) {
      do {
        // A fork need not wait for code from outside of the library.
        try ForkGate.shared.allowingForks { try check(contents.values) }
      } catch {
        throw .refused(path: path, reason: "\(error)")
      }
    }
  }

  // MARK: The copy

  /// Takes the values of the copy, in the place of contents that cannot be used, unless there are
  /// values already.
  func useCopy(
    insteadOf problem: PreferencesError, _ turn: borrowing Turn, _ delivery: inout Delivery
  ) {
    let copyPath = StateLock.change { $0[state].isKnown ? nil : $0[state].constraints?.copyPath }
    guard let copyPath, problem.isAboutContents else { return }
    do throws(PreferencesError) {
      let copy = try DomainContents.read(
        copyPath, unless: nil, attempts: 1, until: nil, allowsLazy: false)
      guard let contents = copy.contents, contents.version != nil else { return }
      try check(contents, turn)
      // The version is that of another file.
      install(
        DomainContents(values: contents.values, format: nil, version: nil), turn, &delivery,
        isReadable: false)
      StateLock.change { $0[state].usesCopy = true }
    } catch {
      reportCopyFailure(error.about(copyPath), &delivery)
    }
  }

  /// Writes a copy of contents that were read or saved, unless it holds them already.
  func keepCopy(
    of contents: DomainContents, _ turn: borrowing Turn, _ delivery: inout Delivery
  ) {
    guard let copyPath = StateLock.change({ $0[state].constraints?.copyPath }),
      contents.version != nil,
      contents.lazy == nil, StateLock.change({ $0[state].constraints?.copied }) != contents.values,
      (try? check(contents, turn)) != nil
    else { return }
    do throws(PreferencesError) {
      let data: Data
      do throws(PlistError) {
        data = try Plist.write(.dictionary(contents.values), as: .binary)
      } catch {
        throw .unwritable(path: copyPath, error)
      }
      try PreferencesError.wrapping(copyPath) { () throws(FileSystemError) in
        let isKept = (try? AtomicFile.read(copyPath)) == data
        if isKept { return }
        do throws(FileSystemError) {
          try AtomicFile.write(data, to: copyPath, isPrivate: true)
        } catch {
          guard error.isMissing else { throw error }
          try AtomicFile.createFolder(of: copyPath)
          try AtomicFile.write(data, to: copyPath, isPrivate: true)
        }
      }
      let old = StateLock.change { change in
        let constraints = change[state].madeConstraints()
        constraints.reportedCopyFailure = nil
        return exchange(&constraints.copied, with: contents.values)
      }
      delivery.deferRelease(of: old)
    } catch {
      reportCopyFailure(error, &delivery)
    }
  }

  private func reportCopyFailure(_ error: PreferencesError, _ delivery: inout Delivery) {
    let isNew = StateLock.change { change in
      exchange(&change[state].madeConstraints().reportedCopyFailure, with: error) != error
    }
    if isNew { delivery.add(.copyFailure(error), on: engine) }
  }
}
