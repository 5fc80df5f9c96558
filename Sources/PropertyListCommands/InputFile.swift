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
      return try session.during("reading \(name)", isWaiting: isStandardInput) {
        let data =
          isStandardInput
          ? try Descriptor.standardInput.readAll(limit: options.limits.size)
          : try AtomicFile.read(operand, limit: options.limits.size)
        return try PropertyList.read(data, options: options)
      }
    } catch {
      session.report("\(error)", about: name)
      return nil
    }
  }

  /// Makes the property list ready for looking up values, or reports why it cannot.
  ///
  /// - Parameters:
  ///   - whole: Whether all of it is going to be looked up.
  ///   - warns: Whether to tell what is odd about it, where it is read as a whole.
  func open(whole: Bool, warns: Bool, in session: Session) -> ValueSource? {
    // What cannot be opened so is another format, no file, or damaged: reading it tells.
    if !isStandardInput, !whole, let document = try? BinaryPlistDocument(path: operand) {
      return .file(document)
    }
    guard let document = read(in: session) else { return nil }
    if warns {
      for warning in document.warnings { session.warn(warning, about: name) }
    }
    return .whole(document.value)
  }
}
