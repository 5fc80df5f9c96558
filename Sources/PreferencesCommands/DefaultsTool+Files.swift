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
      let data =
        file == "-"
        ? try Descriptor.standardInput.readAll(limit: options.limits.size)
        : try AtomicFile.read(file, limit: options.limits.size)
      document = try PropertyList.read(data, options: options)
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
  func export(_ domain: DomainArgument, to file: String) throws(CommandFailure) {
    let values = try store(of: domain).plistRepresentation
    guard !values.isEmpty else { throw CommandFailure("The domain \(domain.name) does not exist") }
    do {
      if file == "-" {
        session.put(try xml(values))
      } else {
        let data = try PropertyList.write(.dictionary(values), as: .binary)
        try AtomicFile.write(data, to: file)
      }
    } catch {
      throw CommandFailure("\(file == "-" ? domain.name : file): \(error)")
    }
  }

  /// The values as XML, which has no fractions of seconds.
  private func xml(_ values: PlistDictionary) throws(PlistError) -> Data {
    var options = PlistWriteOptions()
    options.exact = true
    do throws(PlistError) {
      return try PropertyList.write(.dictionary(values), as: .xml, options: options)
    } catch {
      guard case .fractionalSeconds = error.kind else { throw error }
      session.warn("\(error); rounded down, here and elsewhere")
      return try PropertyList.write(.dictionary(values), as: .xml)
    }
  }
}
