internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// The edited file.
struct EditedFile {
  let path: String
  private let file: AtomicFile

  /// The file at a path. The file need not exist, but its folder must.
  init(_ path: String) throws(FileSystemError) {
    self.path = path
    file = try AtomicFile(path)
  }

  /// The notice that there is no file yet.
  var creationNotice: String { "File Doesn't Exist, Will Create: \(path)" }

  /// The notice that changes are discarded at the end.
  var discardedChangesNotice: String { "\(path): the changes since the last Save are not saved" }

  /// Reads the file; nil if there is none.
  func read() throws(FileSystemError) -> FileContents? {
    try file.read(limit: PlistLimits().maximumSize)
  }

  /// Parses the contents of the file; an empty XML dictionary if there is no file.
  func document(in contents: FileContents?) throws(CommandFailure) -> EditedDocument {
    guard let contents else { return EditedDocument(value: .dictionary([:]), format: .xml) }
    let document = try Self.parse(contents.data, of: path)
    return EditedDocument(
      value: document.value, format: document.format,
      layout: DocumentLayout(of: document, in: contents.data), warnings: document.warnings)
  }

  /// Parses a property list. A bare word is rejected, because any text of one word would be
  /// accepted.
  static func parse(_ data: Data, of path: String) throws(CommandFailure) -> PlistDocument {
    let document: PlistDocument
    do throws(PlistError) {
      document = try Plist.read(data)
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
    if let bareWord = document.bareWord {
      throw CommandFailure("\(path): \(bareWord)")
    }
    return document
  }

  /// Encodes a value in the format and layout of a document. Values that the format would round,
  /// and those that would be read back as another format, are rejected.
  func bytes(of value: PlistValue, like document: EditedDocument) throws(CommandFailure) -> Data {
    var options = PlistWriteOptions()
    options.rejectsFractionalSeconds = true
    options.keep(document.layout, for: value)
    options.endsLine = document.layout.endsLine
    switch value {
    case .dictionary, .array: break
    default:
      guard document.format != .json else {
        throw CommandFailure(
          "\(path): \(value.kind.withArticle) alone would not be read as JSON again")
      }
    }
    do throws(PlistError) {
      return try Plist.write(value, as: document.format, options: options)
    } catch {
      throw CommandFailure("\(path): \(error)")
    }
  }

  /// Replaces the contents of the file while its lock is held.
  ///
  /// - Parameters:
  ///   - known: The version that `data` is based on; nil for no file.
  ///   - data: The new contents.
  ///   - remake: Makes the new contents from those that another process has written in the
  ///     meantime, or returns nil to leave the file alone. It may be called more than once.
  /// - Returns: The new version; nil if there is still no file.
  func replace(
    _ known: FileVersion?, with data: Data, remake: (FileContents?) throws(CommandFailure) -> Data?
  ) throws -> FileVersion? {
    // Renaming would replace a file that is not writable.
    guard access(path, W_OK) == 0 || errno == ENOENT else {
      throw FileSystemError(.write)
    }
    do throws(UpdateError<CommandFailure>) {
      return try file.update(since: known, limit: PlistLimits().maximumSize) {
        (present) throws(CommandFailure) in
        switch present {
        case .unchanged: data
        case .missing: known == nil ? data : try remake(nil)
        case .contents(let contents): try remake(contents)
        }
      }
    } catch {
      switch error {
      case .file(let error): throw error
      case .body(let failure): throw failure
      }
    }
  }
}
