internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

struct EditedFile {
  let path: String
  private let options: PlistReadOptions
  private let file: AtomicFile
  private let followsLinks: Bool

  /// The file at a path, which need not exist, in an existing folder. Symbolic links on the path
  /// are an error unless they are followed.
  init(_ path: String, followingLinks followsLinks: Bool, options: PlistReadOptions) throws {
    (self.path, self.options, self.followsLinks) = (path, options, followsLinks)
    do throws(FileSystemError) {
      file = try AtomicFile(path, followingLinks: followsLinks)
    } catch {
      guard Self.isRefusedLink(error, followsLinks) else {
        throw CommandFailure("\(path): \(error)")
      }
      throw PrintedFailure.unreadable(path, Self.refusedLink)
    }
  }

  private static let refusedLink = "the path contains a symbolic link, which -l does not allow"

  private static func isRefusedLink(_ error: FileSystemError, _ followsLinks: Bool) -> Bool {
    !followsLinks && error.code == ELOOP
  }

  var creationNotice: String { "File Doesn't Exist, Will Create: \(path.onOneLine)\n" }

  var discardedChangesNotice: String { "\(path): unsaved changes were discarded" }

  func read() throws(PrintedFailure) -> FileContents? {
    do throws(FileSystemError) {
      return try file.read(limit: PlistLimits().maximumSize)
    } catch {
      throw .unreadable(
        path, Self.isRefusedLink(error, followsLinks) ? Self.refusedLink : "\(error)")
    }
  }

  /// Parses the contents of the file; an empty XML dictionary if there is no file.
  func document(in contents: FileContents?) throws(PrintedFailure) -> Document {
    guard let contents else { return Document(value: .dictionary([:]), format: .xml) }
    let input = try Self.parse(contents.data, of: path, options: options)
    let document = input.document
    return Document(
      value: document.value, format: document.format, contents: contents.data,
      envelope: input.envelope,
      layout: DocumentLayout(of: document, in: input.contents, encoding: options.encoding),
      warnings: document.warnings)
  }

  /// Parses a property list. A bare word is rejected, because any text of one word would be
  /// accepted.
  static func parse(
    _ data: Data, of path: String, options: PlistReadOptions
  ) throws(PrintedFailure) -> InputDocument {
    let input: InputDocument
    do throws(DocumentError) {
      input = try InputFile(operand: path, options: options).open(data)
    } catch {
      throw .unreadable(path, error.description(for: "PlistBuddy"))
    }
    if input.document.isBareWord { throw .unreadable(path, PlistDocument.bareWordText) }
    return input
  }

  /// Encodes a value in the format and layout of a document. Values that would be read back in
  /// another format are rejected.
  func output(
    of value: PlistValue, like document: Document
  ) throws(CommandFailure) -> EncodedPlist {
    if let envelope = document.envelope {
      throw CommandFailure("\(path): \(envelope); it cannot be changed there")
    }
    var options = PlistWriteOptions()
    options.keep(document.layout, for: value)
    switch value {
    case .dictionary, .array: break
    default:
      guard document.format != .json else {
        throw CommandFailure(
          "\(path): the root of a JSON file must be a dictionary or an array, not "
            + value.kind.withArticle)
      }
    }
    return try CommandFailure.wrapping(path) {
      try EncodedPlist(value, as: document.format, options: options)
    }
  }

  /// Replaces the contents of the file while its lock is held.
  ///
  /// - Parameters:
  ///   - known: The version that `data` is based on; nil for no file.
  ///   - data: The new contents.
  ///   - remake: Makes the new contents from contents that another process has written since, or
  ///     returns nil to leave the file alone. It may be called more than once.
  /// - Returns: The new version; nil if there is still no file.
  func replace<Failure: Error>(
    _ known: FileVersion?, with data: Data, remake: (FileContents?) throws(Failure) -> Data?
  ) throws -> FileVersion? {
    // Renaming would replace even a file that is not writable.
    guard access(path, W_OK) == 0 || errno == ENOENT else {
      throw FileSystemError(.replaceReadOnlyFile)
    }
    do throws(UpdateError<Failure>) {
      return try file.update(since: known, limit: PlistLimits().maximumSize) {
        (present) throws(Failure) in
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

extension EditedFile {
  /// The contents of an edited file, as last read or written.
  struct Document {
    var value: PlistValue
    let format: PlistFormat
    /// The bytes of the file; nil if there is none.
    var contents: Data?
    /// The format that the property list is embedded in; nil if it is the whole file.
    var envelope: PlistEnvelope?
    var layout = DocumentLayout()
    /// The warnings about the file, which apply until it is saved.
    var warnings: [PlistWarning] = []

    /// The warnings that the writer does not repeat.
    var writingWarnings: [String] { warnings.filter { !$0.isAboutCharacter }.map(\.description) }
  }
}
