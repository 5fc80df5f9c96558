internal import CommandLineInterface
internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The verbs that exchange domains with files.
extension DefaultsTool {
  /// `import`
  func importFile(_ file: String, into domain: DomainArgument) throws(CommandFailure) {
    let input = InputFile(operand: file)
    guard let document = input.read(in: session) else { return }
    guard case .dictionary(let new) = document.value else {
      throw CommandFailure(
        "\(input.name): the property list is not a dictionary; leaving defaults unchanged.")
    }
    session.warn(document.warnings, about: input.name)
    try update(domain) { values throws(CommandFailure) in
      for (key, value) in new { values[key] = value }
    }
  }

  /// `export`
  ///
  /// - Parameter format: The name of a format; nil for XML on standard output and binary in a file.
  func export(_ domain: DomainArgument, to file: String, as format: String?) throws {
    let place = OutputPlace(named: file)
    let format = try format.map(Self.format(named:)) ?? (place.path == nil ? .xml : .binary)
    let values = try store(of: domain).plistRepresentation
    guard !values.isEmpty else {
      throw CommandFailure("The domain \(domain.name) does not exist")
    }
    let output: EncodedPlist
    do throws(PlistError) {
      output = try EncodedPlist(.dictionary(values), as: format)
    } catch {
      throw CommandFailure(
        "\(place.path ?? domain.name): \(error)\(Self.remedy(for: error, of: domain))")
    }
    session.warn(output.warnings)
    place.write(output.data, in: session)
  }

  /// The command that writes values without a type in JSON, after a semicolon; empty for any other
  /// error.
  private static func remedy(for error: PlistError, of domain: DomainArgument) -> String {
    guard case .unrepresentableKind(_, .json) = error.kind else { return "" }
    let export = "defaults export \(domain.name.quotedForShell) -"
    return "; expected types of JSON, or use \(export) | plutil -convert json --typed -o - -"
  }

  private static func format(named name: String) throws(UsageError) -> PlistFormat {
    guard let format = PlistFormat(commandLineName: name) else {
      throw UsageError(unknown: "format", name, expected: PlistFormat.commandLineNames)
    }
    return format
  }
}
