internal import PropertyList

/// The steps that a program has for a domain. This type does no I/O.
///
/// | the domain has | what a store with steps does |
/// |---|---|
/// | no version and no values | it is new, and gets the newest version when it is first saved |
/// | the newest version | nothing |
/// | an older version, or values and no version | the steps after this version run |
/// | a newer version, or one that is not an integer | nothing; the program must not change it |
struct DomainMigration: Sendable {
  private let steps: [PreferencesMigration]
  /// The version after the last step.
  let newest: Int
  /// The number of backups to keep.
  let backupCount: Int

  /// - Parameter steps: At least one step. Numbers that are not positive or not ascending are a
  ///   programming error.
  init(_ steps: [PreferencesMigration], backupCount: Int) {
    let versions = steps.map(\.version)
    precondition(
      zip([0] + versions, versions).allSatisfy(<),
      "the versions of migrations must be positive and ascend, not \(versions)")
    precondition(backupCount >= 0, "the number of backups must not be negative")
    self.steps = steps
    newest = versions.last ?? 0
    self.backupCount = backupCount
  }

  /// The number of a stored version: zero for none, nil if it is not an integer.
  static func number(of stored: PlistValue?) -> Int? {
    switch stored {
    case nil: 0
    case .integer(let number)?: Int(number)
    case .unsignedInteger(let number)?: Int(clamping: number)
    default: nil
    }
  }

  /// What a domain needs.
  enum Need: Equatable {
    case nothing
    /// Run the steps after this version.
    case steps(after: Int)
    /// Leave the domain unchanged because of its version; nil if that is not an integer.
    case refusal(Int?)
  }

  func need(of values: PlistDictionary) -> Need {
    guard let version = Self.number(of: values[PreferencesMigration.versionKey]) else {
      return .refusal(nil)
    }
    if version == newest || values.isEmpty { return .nothing }
    return version < newest ? .steps(after: version) : .refusal(version)
  }

  /// The outcome of a store's migration when it was opened.
  final class Outcome: Sendable {
    /// The version that the store needs.
    private let version: Int
    /// Why the domain was not migrated.
    let failure: PreferencesError?

    init(version: Int, failure: PreferencesError?) {
      self.version = version
      self.failure = failure
    }

    /// Why a store must not change a domain.
    ///
    /// - Parameter stored: The version in the domain's values; nil for none.
    func obstacle(to stored: PlistValue?, at path: String) -> PreferencesError? {
      guard let stored else { return failure }
      let found = number(of: stored)
      if found == version { return nil }
      if let failure, let found, found < version { return failure }
      return .otherVersion(path: path, found: found, expected: version)
    }
  }

  /// A step that failed.
  struct Failure: Error {
    let version: Int
    let reason: String
  }

  /// Runs the steps after a version.
  ///
  /// - Returns: The values that move to other domains, in the order of the steps.
  func run(
    after version: Int, on values: inout PlistDictionary
  ) throws(Failure) -> [(domain: String, values: PlistDictionary)] {
    var moved: [(domain: String, values: PlistDictionary)] = []
    for step in steps where step.version > version {
      do {
        for edit in step.edits {
          guard let new = try edit.apply(to: &values) else { continue }
          try DomainName.check(new.domain)
          if !new.values.isEmpty { moved.append(new) }
        }
        try values.checkStorable()
      } catch {
        throw Failure(version: step.version, reason: "\(error)")
      }
    }
    values[PreferencesMigration.versionKey] = .integer(Int64(newest))
    return moved
  }
}
