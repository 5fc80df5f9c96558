internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// Changing a text file given by its path. Its comments and layout stay.
extension DefaultsTool {
  /// Changes the values in a file atomically, if it is text that can represent the new values.
  ///
  /// - Parameter body: Changes the values. It may be called more than once.
  /// - Throws: The error of the closure, or an error if JSON or OpenStep text cannot represent a
  ///   new value, or if waiting for the file's lock took too long.
  func updateText(
    at path: String, _ body: (inout PlistDictionary) throws(CommandFailure) -> Void
  ) throws -> TextUpdate {
    guard let file = try? AtomicFile(path) else { return .unsuitable }
    var result = TextUpdate.unsuitable
    var rewriteReason: EditedPlistDocument.RewriteReason?
    do throws(UpdateError<CommandFailure>) {
      try file.update(limit: PlistLimits().maximumSize) { present throws(CommandFailure) in
        result = .unsuitable
        guard let contents = present.contents,
          var document = try? EditedPlistDocument(contents.data), document.format != .binary,
          case .dictionary(var values) = document.value, Self.areStorable(values)
        else { return nil }
        try body(&values)
        guard Self.areStorable(values) else { return nil }
        document.writeOptions.rejectsFractionalSeconds = true
        do throws(PlistEditError) {
          try document.update(to: .dictionary(values))
        } catch {
          guard document.format == .xml else {
            throw CommandFailure(
              "Could not write domain \(path); exiting",
              "\(path): \(error); to store it, first run: plutil -convert xml1 \(path.quotedForShell)"
            )
          }
          result = .lost("\(error)")
          return nil
        }
        result = .written
        rewriteReason = document.rewriteReason
        return document.data == contents.data ? nil : document.data
      }
    } catch {
      switch error {
      case .body(let failure): throw failure
      case .file(let error) where error.code == nil: throw PreferencesError(error, path: path)
      case .file: return .unsuitable
      }
    }
    if let rewriteReason {
      session.warn("comments and layout are lost: \(rewriteReason)", about: path)
    }
    return result
  }

  /// The outcome for a file of text.
  enum TextUpdate {
    /// The file has the new values.
    case written
    /// The file is XML, which cannot represent the new values for this reason. The store writes
    /// another format.
    case lost(String)
    /// There is no file, or it is not text that holds preferences. The store reports the problem.
    case unsuitable
  }

  private static func areStorable(_ values: PlistDictionary) -> Bool {
    values.allSatisfy { (try? $0.value.checkStorable()) != nil }
  }

  /// Warns that a store has rewritten an XML file.
  func warnOfLostText(at path: String, because reason: String) {
    let format = PlistFormat(
      detecting: (try? AtomicFile.readBeginning(path, limit: 1024)) ?? Data())
    session.warn(
      "comments and layout are lost: \(reason); the file is now \(format.title)",
      about: path)
  }
}
