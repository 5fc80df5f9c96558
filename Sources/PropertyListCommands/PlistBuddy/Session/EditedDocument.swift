internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The contents of an edited file, as last read or written.
struct EditedDocument {
  var value: PlistValue
  let format: PlistFormat
  /// The bytes of the file; nil if there is none.
  var contents: Data?
  /// What the property list is inside of; nil for a file of its own.
  var envelope: PlistEnvelope?
  var layout = DocumentLayout()
  /// The warnings about the file, which apply until it is saved.
  var warnings: [PlistWarning] = []

  /// The warnings that the writer does not repeat.
  var writingWarnings: [String] {
    warnings.filter { !$0.isAboutCharacter }.map(\.description)
  }
}
