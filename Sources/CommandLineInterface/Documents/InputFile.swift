internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// An operand: a file, or standard input.
struct InputFile {
  let operand: String

  var isStandardInput: Bool { operand == "-" }

  /// The inputs of a command line.
  static func all(of invocation: Invocation) throws(UsageError) -> [InputFile] {
    let inputs = invocation.operands.map { InputFile(operand: $0) }
    guard inputs.count(where: \.isStandardInput) < 2 else {
      throw UsageError("standard input can only be read once")
    }
    return inputs
  }

  /// What errors and results call it.
  var name: String { isStandardInput ? "<stdin>" : operand }

  /// Whether it is a regular file.
  var isFile: Bool { type == S_IFREG }

  /// Whether it is a pipe, a device or a socket, in whose place nothing can be put.
  var isStream: Bool { type.map { $0 != S_IFREG && $0 != S_IFDIR } ?? false }

  /// What sort of file the path leads to; nil where there is none.
  private var type: mode_t? {
    var information = stat()
    return stat(operand, &information) == 0 ? information.st_mode & S_IFMT : nil
  }

  /// Reads all bytes.
  func readData() throws(SystemError) -> Data {
    let limit = PlistReadOptions().limits.maximumSize
    return isStandardInput
      ? try Descriptor.standardInput.readAll(limit: limit)
      : try AtomicFile.read(operand, limit: limit)
  }

  /// Reads the property list, or reports why it cannot.
  func read(in session: Session) -> PlistDocument? {
    do {
      return try session.during("reading \(name)", isWaiting: isStandardInput) {
        try Plist.read(try readData())
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
    if warns { session.warn(document.warnings, about: name) }
    return .whole(document.value)
  }
}
