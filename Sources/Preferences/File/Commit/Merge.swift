internal import FileStorage
internal import PropertyList

/// The result of a commit for the contents that it finds. This type does no I/O.
///
/// | key | in the result |
/// |---|---|
/// | changed by this process | as changed |
/// | any other | as found; missing if all values were replaced |
struct Merge {
  /// The new contents.
  var contents: DomainContents
  /// The values that were found.
  let found: PlistDictionary
  /// Whether the process knew the values that were found, and only its own changes were made to them.
  private(set) var isOwn: Bool

  /// - Parameter isKnown: Whether the contents are the same as at the last read or commit.
  init(_ changes: borrowing Changes, into present: DomainContents, isKnown: Bool) {
    contents = present
    found = present.values
    isOwn = isKnown
    contents.values = changes.applied(to: contents.values)
  }

  /// Sets or removes a value that this process has not changed.
  mutating func setForeignValue(_ value: PlistValue?, forKey key: String) {
    contents.values[key] = value
    isOwn = false
  }

  /// Rounds all dates down, including dates that this process has not set.
  mutating func roundToWholeSeconds() {
    guard let rounded = contents.values.roundedToWholeSeconds else { return }
    contents.values = rounded
    isOwn = false
  }

  /// Keeps the version of a domain, which a new or emptied file does not have.
  ///
  /// | version of the result | |
  /// |---|---|
  /// | the domain's | stays |
  /// | none, and no values | stays: the domain is new |
  /// | none, and the file that was found had the domain's, or no values | becomes the domain's |
  /// | any other | is refused: another program has changed the version |
  ///
  /// - Returns: Whether the result may be saved.
  mutating func keepVersion(_ version: Int) -> Bool {
    let key = PreferencesMigration.versionKey
    if let stored = contents.values[key] { return DomainMigration.number(of: stored) == version }
    if contents.values.isEmpty { return true }
    guard found.isEmpty || DomainMigration.number(of: found[key]) == version else { return false }
    contents.values[key] = .integer(Int64(version))
    isOwn = false
    return true
  }

  /// Whether a file already holds the new values and stamps.
  ///
  /// - Parameters:
  ///   - isMissing: Whether there is no file.
  ///   - ownKeys: The keys that this process has changed; nil if they are not known.
  ///   - stamps: The stamps in the file.
  func isStored(isMissing: Bool, ownKeys: [String]?, stamps: StampText?) -> Bool {
    if contents.stamps?.text != stamps?.text { return false }
    return isMissing
      ? contents.values.isEmpty
      : contents.values.isStoredLike(found, changed: isOwn ? ownKeys : nil)
  }
}
