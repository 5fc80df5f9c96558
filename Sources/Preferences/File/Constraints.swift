internal import PropertyList
internal import Threading

/// Data that only some domains need: the program's constraints on the file's contents, and stamps. Guarded by the
/// state lock.
final class Constraints {
  /// Throws if the program does not accept the values.
  typealias Check = @Sendable (PlistDictionary) throws -> Void

  /// The checks by number, which increases in the order they are added.
  private(set) var checks: [Int: Check] = [:]
  /// The checks to remove when all changes are saved.
  private var endedChecks: Set<Int> = []
  private var lastCheck = 0
  /// The newest version to which this process migrates the domain; nil without migrations.
  var version: Int?
  /// The path of the copy of the last good contents, if one is kept.
  var copyPath: String?
  /// The values of the copy, if known.
  var copied: PlistDictionary?
  /// The last reported failure to write or read the copy.
  var reportedCopyFailure: PreferencesError?

  /// The stamps of a synchronized domain.
  var stamps: KnownStamps?

  /// Adds a check and returns its number.
  func add(_ check: @escaping Check) -> Int {
    lastCheck += 1
    checks[lastCheck] = check
    return lastCheck
  }

  /// Removes a check at once or, with unsaved changes, when all changes are saved.
  ///
  /// - Returns: The removed check, to be released without the lock.
  func removeCheck(_ number: Int, hasChanges: Bool) -> Check? {
    if !hasChanges { return checks.removeValue(forKey: number) }
    endedChecks.insert(number)
    return nil
  }

  /// Removes and returns the ended checks, to be released without the lock.
  func removeEndedChecks() -> [Check] {
    exchange(&endedChecks, with: []).compactMap { checks.removeValue(forKey: $0) }
  }
}
