internal import CommandLineInterface
internal import PropertyList

/// The formats that `-convert`, `-extract` and `-create` know, by their names on the command line.
enum FormatName {
  /// The format of a name.
  ///
  /// - Parameter others: What else the verb takes in the place of a format.
  static func format(_ name: String, or others: [String] = []) throws(UsageError) -> PlistFormat {
    switch name {
    case "xml1": return .xml
    case "binary1": return .binary
    default:
      let names = (others + ["xml1"]).joined(separator: ", ")
      throw UsageError("unknown format: \(name); expected \(names) or binary1")
    }
  }
}
