internal import FileStorage
internal import Glibc
internal import PropertyList
internal import Threading

/// Bringing the file to the version of the program.
extension DomainFile {
  /// Runs the steps that the file needs, in one commit.
  ///
  /// - Parameters:
  ///   - check: A check that the migrated values must pass.
  ///   - domainAt: Returns the domain of a path, for values that are moved there.
  /// - Returns: Why the file must not be changed; nil if it has the newest version or is new.
  func migrate(
    by migration: DomainMigration, check: Check?, _ domainAt: (String) -> DomainFile
  ) -> PreferencesError? {
    guard let path else { return nil }
    let known = StateLock.change { $0[state].constraints?.version }
    if let known, known != migration.newest {
      return .otherVersion(path: path, found: known, expected: migration.newest)
    }
    do throws(PreferencesError) {
      if let present = try presentValues(at: path), migration.need(of: present) != .nothing {
        try commit(migration, to: path, check, domainAt)
      }
    } catch {
      return error
    }
    StateLock.change { $0[state].madeConstraints().version = migration.newest }
    return nil
  }

  /// The values, without opening the file, which must not be read before the check is added.
  ///
  /// - Returns: Nil for a damaged file. Nothing is saved before its recovery, after which it is
  ///   new.
  private func presentValues(at path: String) throws(PreferencesError) -> PlistDictionary? {
    do throws(PreferencesError) {
      if isOpen {
        let values = allValues
        if let problem { throw problem }
        return values
      }
      let contents = try DomainContents.read(path, attempts: 10, on: runtime.disk).contents
      return contents?.values
    } catch {
      if case .contents = error.cause { return nil }
      throw error
    }
  }

  private func commit(
    _ migration: DomainMigration, to path: String, _ check: Check?,
    _ domainAt: (String) -> DomainFile
  ) throws(PreferencesError) {
    let limit = TimeLimit(from: runtime.disk.now)
    var failure: PreferencesError?
    var migrated = false
    try Delivery.batchingNotifications { () throws(PreferencesError) in
      var delivery = Delivery()
      defer { delivery.deliver() }
      try commit(within: limit, &delivery) { values in
        do throws(PreferencesError) {
          // Another process may have migrated the file since it was read.
          migrated = try migrate(&values, by: migration, at: path, check, domainAt, limit)
          failure = nil
        } catch {
          failure = error
        }
        return failure == nil
      }
    }
    if let failure { throw failure }
    if migrated { removeBackups(keeping: migration.backupCount, of: path) }
  }

  /// Runs the steps that values need, and first saves everything that must be on disk before the
  /// result.
  ///
  /// - Returns: Whether there were any steps.
  private func migrate(
    _ values: inout PlistDictionary, by migration: DomainMigration, at path: String,
    _ check: Check?, _ domainAt: (String) -> DomainFile, _ limit: TimeLimit
  ) throws(PreferencesError) -> Bool {
    let forks = Fork.count
    var version: Int?
    var moved: [(domain: String, values: PlistDictionary)] = []
    switch migration.need(of: values) {
    case .nothing: break
    case .refusal(let found):
      throw .otherVersion(path: path, found: found, expected: migration.newest)
    case .steps(let after):
      version = after
      do throws(DomainMigration.Failure) {
        moved = try migration.run(after: after, on: &values)
      } catch {
        throw .failedMigration(path: path, version: error.version, reason: error.reason)
      }
    }
    do { if !values.isEmpty { try check?(values) } } catch {
      throw .refused(path: path, reason: "\(error)")
    }
    guard let version else { return false }
    // A step has forked, and this is the child, whose commit fails.
    if Fork.count != forks { return false }
    if migration.backupCount > 0 { try backUp(path, version: version) }
    for (domain, values) in moved {
      try domainAt(Self.path(of: domain, beside: path)).add(values, within: limit)
    }
    return true
  }

  /// The file of another domain in the folder of a file.
  private static func path(of domain: String, beside path: String) -> String {
    FilePath.joining(FilePath.split(path).folder ?? ".", DomainFileName.name(domain))
  }

  /// Saves values for the keys that have none.
  private func add(_ new: PlistDictionary, within limit: TimeLimit) throws(PreferencesError) {
    var delivery = Delivery()
    defer { delivery.deliver() }
    try commit(within: limit, &delivery) { values in
      for (key, value) in new { values.add(value, forKey: key) }
      return true
    }
  }

  /// Keeps the version of a domain, if the process has migrations for it.
  ///
  /// - Throws: An error if another program has changed the version, so that the changes of this
  ///   process no longer apply.
  func keepVersion(in merge: inout Merge, at path: String) throws(PreferencesError) {
    guard let version = StateLock.change({ $0[state].constraints?.version }),
      !merge.keepVersion(version)
    else { return }
    throw .otherVersion(
      path: path,
      found: DomainMigration.number(of: merge.contents.values[PreferencesMigration.versionKey]),
      expected: version)
  }
}
