package import PropertyList

/// The formats of property lists by their names on the command line.
package enum FormatName {
  private static let formats: KeyValuePairs<String, PlistFormat> = [
    "xml1": .xml, "binary1": .binary, "json": .json, "openstep": .openStep,
  ]

  /// All of the names.
  package static let names = formats.map(\.key)

  /// The format of a name.
  ///
  /// - Parameter others: What else may stand in the place of a format.
  package static func format(
    _ name: String, or others: [String] = []
  ) throws(UsageError) -> PlistFormat {
    if let format = formats.first(where: { $0.key == name }) { return format.value }
    let names = others + names
    throw UsageError(
      "unknown format: \(name); expected \(names.dropLast().joined(separator: ", ")) or "
        + "\(names[names.count - 1])\(Suggestion.text(for: name, among: names))")
  }
}
