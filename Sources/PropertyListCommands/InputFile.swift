internal import CommandLineInterface
internal import FileStorage
internal import PropertyList

/// An operand: a file, or standard input.
struct InputFile {
  let operand: String

  var isStandardInput: Bool { operand == "-" }

  /// What errors and results call it.
  var name: String { isStandardInput ? "<stdin>" : operand }

  /// Reads the property list, or reports why it cannot.
  func read(in session: Session) -> PlistDocument? {
    let options = PlistReadOptions()
    do {
      let data =
        isStandardInput
        ? try Descriptor.standardInput.readAll(limit: options.limits.size)
        : try AtomicFile.read(operand, limit: options.limits.size)
      return try PropertyList.read(data, options: options)
    } catch {
      session.report("\(error)", about: name)
      return nil
    }
  }
}
