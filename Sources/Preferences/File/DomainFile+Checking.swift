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

/// Checks of the file's contents.
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

  /// Throws if a check refuses the contents. A missing file is not checked.
  func check(_ contents: DomainContents, _ turn: borrowing Turn) throws(PreferencesError) {
    guard let path, contents.file != nil else { return }
    lazy var document = document(of: contents, at: path)
    let reason = reasonToRefuse(contents.values) { place in
      document.flatMap { $0.lines?.line(at: place.components, in: $0.value) }
    }
    if let reason { throw .refused(path: path, reason: reason) }
  }

  /// The file's document with the lines of its values; nil if the file has changed since.
  private func document(of contents: DomainContents, at path: String) -> PlistDocument? {
    guard let read = try? runtime.disk.read(path, since: nil), let data = read.contents?.data else {
      return nil
    }
    var options = PlistReadOptions()
    options.recordsLines = true
    let document = try? Plist.read(data, options: options)
    return document?.value == .dictionary(contents.storedValues) ? document : nil
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
        // A fork does not wait for code outside the library.
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
}
