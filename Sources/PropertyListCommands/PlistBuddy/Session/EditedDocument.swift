internal import PropertyList

/// The property list that a file holds, as far as is known.
struct EditedDocument {
  var value: PlistValue
  let format: PlistFormat
  var layout = DocumentLayout()
  /// What is odd in the file; saving mends it.
  var warnings: [PlistWarning] = []
}
