internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The commands that exchange domains with files.
extension DefaultsTool {
  /// `import`
  func importFile(_ file: String, into domain: DomainArgument) throws(CommandFailure) {
    let name = file == "-" ? "<stdin>" : file
    let options = PlistReadOptions()
    let document: PlistDocument
    do {
      document = try session.during("reading \(name)", isWaiting: file == "-") {
        let data =
          file == "-"
          ? try Descriptor.standardInput.readAll(limit: options.limits.maximumSize)
          : try AtomicFile.read(file, limit: options.limits.maximumSize)
        return try Plist.read(data, options: options)
      }
    } catch {
      throw CommandFailure("\(name): \(error)")
    }
    guard case .dictionary(let new) = document.value else {
      throw CommandFailure(
        "\(name): the property list is not a dictionary; leaving defaults unchanged.")
    }
    for warning in document.warnings { session.warn(warning, about: name) }
    try update(domain) { values throws(CommandFailure) in
      for (key, value) in new { values[key] = value }
    }
  }

  /// `export`
  ///
  /// - Parameter format: The name of a format; nil for XML on standard output and binary in a file.
  func export(_ domain: DomainArgument, to file: String, as format: String?) throws {
    let isStandardOutput = file == "-"
    let format = try format.map(Self.format(named:)) ?? (isStandardOutput ? .xml : .binary)
    let values = try store(of: domain).plistRepresentation
    guard !values.isEmpty else { throw CommandFailure("The domain \(domain.name) does not exist") }
    do {
      let data = try bytes(of: values, as: format)
      if isStandardOutput {
        session.put(data)
      } else {
        try AtomicFile.write(data, to: file)
      }
    } catch {
      throw CommandFailure("\(isStandardOutput ? domain.name : file): \(error)")
    }
  }

  private static func format(named name: String) throws(UsageError) -> PlistFormat {
    guard let format = PlistFormat(commandLineName: name) else {
      throw UsageError(unknown: "format", name, expected: PlistFormat.commandLineNames)
    }
    return format
  }

  /// The values in a format, some of which have no fractions of seconds.
  private func bytes(of values: PlistDictionary, as format: PlistFormat) throws(PlistError) -> Data
  {
    var options = PlistWriteOptions()
    options.rejectsFractionalSeconds = true
    do throws(PlistError) {
      return try Plist.write(.dictionary(values), as: format, options: options)
    } catch {
      guard case .fractionalSeconds = error.kind else { throw error }
      session.warn("\(error); rounded down, here and elsewhere")
      options.rejectsFractionalSeconds = false
      return try Plist.write(.dictionary(values), as: format, options: options)
    }
  }
}
