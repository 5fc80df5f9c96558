internal import PropertyList

/// The property list that a file holds, as far as is known.
struct EditedDocument {
  var value: PlistValue
  let format: PlistFormat
  /// Whether JSON is laid out in lines, as it stays then.
  var isIndented = false
  /// What is odd in the file; saving mends it.
  var warnings: [PlistWarning] = []
}
