package import FoundationEssentials
package import PropertyList

/// What became of a text that a person has edited.
package enum EditOutcome {
  /// It made these differences.
  case applied([PlistDifference], warnings: [String])
  /// Nothing was changed because others have changed the same values. The text has the changes of both
  /// and, where there are conflicts, the person's values.
  case conflicts([PlistMerge.Conflict], text: Data)
}
