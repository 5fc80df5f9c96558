internal import FileStorage
internal import FoundationEssentials
internal import PropertyList

/// A copy of the last good contents of the file, used while the file cannot be read.
extension DomainFile {
  /// Keeps a copy of all good contents read from now on in a folder.
  func keepCopy(in folder: String) {
    guard let path else { return }
    let copy = Self.copyPath(of: path, in: folder)
    StateLock.change { $0[state].madeConstraints().copyPath = copy }
  }

  static func copyPath(of path: String, in folder: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let hash = String(StableHash.hash(path), radix: 16)
    return FilePath.absolute(folder + "/" + FileName.make("", name, "-" + hash))
  }

  /// Uses the values of the copy instead of unusable contents, unless there are values already.
  ///
  /// - Returns: Whether they are used.
  func useCopy(
    insteadOf problem: PreferencesError, _ turn: borrowing Turn, _ delivery: inout Delivery
  ) -> Bool {
    let copyPath = StateLock.change { $0[state].isKnown ? nil : $0[state].constraints?.copyPath }
    guard let copyPath, case .contents = problem.cause else { return false }
    do throws(PreferencesError) {
      guard
        let contents = try DomainContents.read(copyPath, attempts: 1, on: runtime.disk).contents,
        contents.file != nil
      else { return false }
      try check(contents, turn)
      installValues(contents.values, turn, &delivery)
      return true
    } catch {
      reportCopyFailure(error.about(copyPath), &delivery)
      return false
    }
  }

  /// Copies contents that were read or saved, unless the copy is the same.
  func keepCopy(
    of contents: DomainContents, _ turn: borrowing Turn, _ delivery: inout Delivery
  ) {
    guard let copyPath = StateLock.change({ $0[state].constraints?.copyPath }),
      contents.file != nil,
      StateLock.change({ $0[state].constraints?.copied }) != contents.values,
      (try? check(contents, turn)) != nil
    else { return }
    do throws(PreferencesError) {
      let data = try contents.encode(pinned: .binary, path: copyPath).data
      try write(data, toCopyAt: copyPath)
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

  private func write(_ data: Data, toCopyAt path: String) throws(PreferencesError) {
    let limit = TimeLimit(from: runtime.disk.now)
    let known = try? runtime.disk.read(path, since: nil)
    if known?.contents?.data == data { return }
    let file = try lock(path, within: limit, keepsLockFile: false)
    defer { file.unlock() }
    for _ in 0..<LockedFile.attempts {
      let present = try file.read(since: known?.version, comparesBytes: false)
      if try file.replace(present.version, with: data) != nil { return }
      try file.renewLock(within: limit)
    }
    throw PreferencesError(LockedFile.keepsChanging, path: path)
  }

  private func reportCopyFailure(_ error: PreferencesError, _ delivery: inout Delivery) {
    let isNew = StateLock.change { change in
      exchange(&change[state].madeConstraints().reportedCopyFailure, with: error) != error
    }
    if isNew { delivery.add(.copyFailure(error), on: runtime.events) }
  }
}
