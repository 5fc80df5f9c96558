internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList

/// The file that is edited.
struct EditedFile {
  let path: String
  private let file: AtomicFile

  /// The file of a path, which need not exist; its folder must.
  init(_ path: String) throws(FileSystemError) {
    self.path = path
    file = try AtomicFile(path)
  }

  /// What is said where there is no file yet.
  var missing: String { "File Doesn't Exist, Will Create: \(path)" }

  /// What is said of changes that the end leaves behind.
  var lost: String { "\(path): the changes since the last Save are not saved" }

  /// What the file holds now; nil where there is none.
  func read() throws(FileSystemError) -> FileContents? {
    try file.read(limit: PlistLimits().maximumSize)
  }

  /// What a content of the file amounts to: an empty dictionary, to be XML, where there is no file.
  func document(in contents: FileContents?) throws(EditFailure) -> EditedDocument {
    guard let contents else { return EditedDocument(value: .dictionary([:]), format: .xml) }
    let document = try Self.read(contents.data, of: path)
    return EditedDocument(
      value: document.value, format: document.format,
      layout: DocumentLayout(of: document, in: contents.data), warnings: document.warnings)
  }

  /// Reads the bytes of a file. A mere word is refused, since any text of one would pass.
  static func read(_ data: Data, of path: String) throws(EditFailure) -> PlistDocument {
    let document: PlistDocument
    do throws(PlistError) {
      document = try Plist.read(data)
    } catch {
      throw EditFailure("\(path): \(error)")
    }
    if let bareWord = document.warnings.first(where: { $0.kind == .bareWord }) {
      throw EditFailure("\(path): \(bareWord)")
    }
    return document
  }

  /// A value in the format of a document. What the format would round, or what would be taken for
  /// another format, is refused.
  func bytes(of value: PlistValue, like document: EditedDocument) throws(EditFailure) -> Data {
    var options = PlistWriteOptions()
    options.rejectsFractionalSeconds = true
    options.keep(document.layout, for: value)
    switch value {
    case .dictionary, .array: break
    default:
      guard document.format != .json else {
        throw EditFailure(
          "\(path): \(value.kind.withArticle) alone would not be read as JSON again")
      }
    }
    do throws(PlistError) {
      var data = try Plist.write(value, as: document.format, options: options)
      if document.format == .json, document.layout.endsLine { data.append(UInt8(ascii: "\n")) }
      return data
    } catch {
      throw EditFailure("\(path): \(error)")
    }
  }

  /// Replaces what the file holds, under its lock.
  ///
  /// - Parameters:
  ///   - known: What it held when `data` was made, nil for no file.
  ///   - data: What it shall hold.
  ///   - remake: Makes what it shall hold, nil to leave it, of what another program has put there
  ///     meanwhile. It may be called more than once.
  /// - Returns: What it holds then; nil where there is still none.
  func replace(
    _ known: FileVersion?, with data: Data, remake: (FileContents?) throws(EditFailure) -> Data?
  ) throws -> FileVersion? {
    // The new file would take its place all the same.
    guard access(path, W_OK) == 0 || errno == ENOENT else {
      throw FileSystemError(.write)
    }
    do throws(UpdateError<EditFailure>) {
      return try file.update(since: known, limit: PlistLimits().maximumSize) {
        (present) throws(EditFailure) in
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
