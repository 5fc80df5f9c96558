internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// Changing a file of text that is named by its path: its comments and layout stay.
extension DefaultsTool {
  /// Changes the values in a file atomically if it is text that can hold the new ones.
  ///
  /// - Parameter body: Changes the values. It may be called more than once.
  /// - Returns: Whether the file was changed. Otherwise it is for the store, which also reports what
  ///   is wrong with it.
  /// - Throws: The error of the closure, or that the lock of the file was waited for in vain.
  func updateText(
    at path: String, _ body: (inout PlistDictionary) throws(CommandFailure) -> Void
  ) throws -> TextUpdate {
    guard let file = try? AtomicFile(path) else { return .unsuitable }
    var result = TextUpdate.unsuitable
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
          result = .lost("\(error)")
          return nil
        }
        if let reason = document.rewriteReason {
          result = .lost("\(reason)")
          return nil
        }
        result = .kept
        return document.data == contents.data ? nil : document.data
      }
    } catch {
      switch error {
      case .body(let failure): throw failure
      case .file(let error) where error.code == nil: throw PreferencesError(error, path: path)
      case .file: return .unsuitable
      }
    }
    return result
  }

  /// What became of a file of text.
  enum TextUpdate {
    /// It has the new values, and its comments and layout.
    case kept
    /// It is text, but cannot hold the new values, for a reason.
    case lost(String)
    /// There is no file, or it is not text that holds preferences.
    case unsuitable
  }

  private static func areStorable(_ values: PlistDictionary) -> Bool {
    values.allSatisfy { (try? $0.value.checkStorable()) != nil }
  }

  /// Warns that a store has written a file of text anew.
  func warnOfLostText(at path: String, because reason: String) {
    let format = PlistFormat(
      detecting: (try? AtomicFile.readBeginning(path, limit: 1024)) ?? Data())
    session.warn(
      "comments and layout are lost: \(reason); the file is now \(format.title)",
      about: path)
  }
}
