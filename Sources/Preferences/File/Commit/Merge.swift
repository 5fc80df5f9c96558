internal import FileStorage
internal import PropertyList

/// What a commit makes of the contents that it finds. This value only computes.
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

  /// - Parameter isKnown: Whether the contents are those of the last read or commit.
  init(_ changes: borrowing Changes, into present: DomainContents, isKnown: Bool) {
    contents = present
    found = present.values
    isOwn = isKnown
    contents.values = changes.applied(to: contents.values)
  }

  /// Rounds all dates down, also those that this process has not set.
  mutating func roundToWholeSeconds() {
    guard let rounded = contents.values.roundedToWholeSeconds else { return }
    contents.values = rounded
    isOwn = false
  }

  /// Whether a file holds the new values already.
  ///
  /// - Parameters:
  ///   - isMissing: Whether there is no file.
  ///   - ownKeys: The keys that this process has changed; nil if they are not known.
  func isStored(isMissing: Bool, ownKeys: [String]?) -> Bool {
    isMissing
      ? contents.values.isEmpty
      : contents.values.isStoredLike(found, changed: isOwn ? ownKeys : nil)
  }
}
