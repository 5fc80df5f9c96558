internal import FileStorage
internal import FoundationEssentials
package import PropertyList
internal import Threading

/// An error of a check that names places in the values.
package protocol LocatedError: Error {
  /// The error on one line.
  ///
  /// - Parameter line: Returns the line of a value in its file; nil if it is not known.
  func description(line: (PlistKeyPath) -> Int?) -> String
}

/// Checks of the file's contents, and a copy of the last good ones.
extension DomainFile {
  typealias Check = Constraints.Check

  /// Adds a check of all contents read from now on. It ends when the handle is canceled or released
  /// and all changes are saved: changes made while contents are refused must not replace them.
  func add(_ check: @escaping Check) -> PreferencesObservation {
    let number = StateLock.change { $0[state].madeConstraints().add(check) }
    return PreferencesObservation {
      // Released without the lock: its captures may be a user's objects.
      let removed = StateLock.change { change in
        change[self.state].constraints?
          .removeCheck(number, hasChanges: self.values.hasChanges(in: change))
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Keeps a copy of all good contents read from now on in a folder.
  func keepCopy(in folder: String) {
    guard let path else { return }
    let copy = Self.copyPath(of: path, in: folder)
    StateLock.change { $0[state].madeConstraints().copyPath = copy }
  }

  static func copyPath(of path: String, in folder: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let hash = String(FNV1a.hash(path), radix: 16)
    return FilePath.absolute(folder + "/" + FileName.make("", name, "-" + hash))
  }

  /// Throws if a check refuses the contents. A missing file is not checked.
  func check(_ contents: DomainContents, _ turn: borrowing Turn) throws(PreferencesError) {
    guard let path, contents.file != nil else { return }
    lazy var document = document(of: contents.values, at: path)
    let reason = reasonToRefuse(contents.values) { place in
      document.flatMap { $0.lines?.line(at: place.components, in: $0.value) }
    }
    if let reason { throw .refused(path: path, reason: reason) }
  }

  /// The file's document with the lines of its values; nil if it has other values now.
  private func document(of values: PlistDictionary, at path: String) -> PlistDocument? {
    guard let read = try? runtime.disk.read(path, since: nil), let data = read.contents?.data else {
      return nil
    }
    var options = PlistReadOptions()
    options.recordsLines = true
    let document = try? Plist.read(data, options: options)
    return document?.value == .dictionary(values) ? document : nil
  }

  /// The text of the error of the first check that refuses the values.
  ///
  /// - Parameter line: Returns the line of a value in the file.
  func reasonToRefuse(
    _ values: PlistDictionary, line: (PlistKeyPath) -> Int? = { _ in nil }
  ) -> String? {
    let checks = StateLock.change { $0[state].constraints?.checks } ?? [:]
    for (_, check) in checks.sorted(by: { $0.key < $1.key }) {
      do {
        // A fork need not wait for code from outside the library.
        try ForkGate.shared.allowingForks { try check(values) }
      } catch let error as any LocatedError {
        return error.description(line: line)
      } catch {
        return "\(error)"
      }
    }
    return nil
  }

  var hasChecks: Bool { StateLock.change { $0[state].constraints?.checks.isEmpty == false } }

  // MARK: The copy

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
    let limit = TimeLimit(.seconds(10), from: runtime.disk.now)
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
