package import FoundationEssentials
package import PropertyList

/// The bytes of a property list, as exact as the format allows: if necessary, dates are rounded to
/// whole seconds, and control characters are written to XML.
package struct EncodedPlist {
  package var data: Data
  /// The warnings about values that are not exact or not allowed, one of each kind with its first
  /// place, and about a text that could not be kept.
  package private(set) var warnings: [String] = []
  /// Whether the text of an edited document was kept.
  package private(set) var keepsText = false

  /// Writes a value; throws for one that the format cannot represent in any way.
  package init(
    _ value: PlistValue, as format: PlistFormat, options: PlistWriteOptions = PlistWriteOptions()
  ) throws(PlistError) {
    var concessions = Concessions(options)
    while true {
      do throws(PlistError) {
        data = try Plist.write(value, as: format, options: concessions.options)
        warnings = concessions.warnings
        return
      } catch {
        guard concessions.allow(error) else { throw error }
      }
    }
  }

  package mutating func warn(_ warnings: [String]) { self.warnings += warnings }

  /// Edits a document. Its text is kept if possible.
  ///
  /// - Parameter edit: Edits the document. It may be called more than once, each time with the
  ///   unchanged document.
  /// - Throws: The error of the edit, or an error for a value that the format cannot represent in
  ///   any way.
  package init(
    editing document: EditedPlistDocument, options: PlistWriteOptions = PlistWriteOptions(),
    _ edit: (inout EditedPlistDocument) throws(PlistEditError) -> Void
  ) throws(PlistEditError) {
    var concessions = Concessions(options)
    while true {
      var edited = document
      edited.writeOptions = concessions.options
      do throws(PlistEditError) {
        try edit(&edited)
        data = edited.data
        warnings = concessions.warnings
        keepsText = edited.rewriteReason == nil
        if let reason = edited.rewriteReason {
          warnings.append("comments and layout are lost: \(reason)")
        }
        return
      } catch {
        guard let unwritable = error.unwritable, concessions.allow(unwritable) else { throw error }
      }
    }
  }
}

extension PlistEditError {
  /// The error of a value that the format cannot represent; nil for any other.
  package var unwritable: PlistError? {
    guard case .unwritable(let kind) = kind else { return nil }
    return PlistError(kind, keyPath: keyPath)
  }
}

/// The loss that is permitted when a value cannot be written exactly.
private struct Concessions {
  private(set) var options: PlistWriteOptions
  private(set) var warnings: [String] = []

  init(_ options: PlistWriteOptions) {
    self.options = options
    self.options.rejectsFractionalSeconds = true
  }

  /// Permits the loss that an error reports, with a warning, and returns whether it can be
  /// permitted.
  mutating func allow(_ error: PlistError) -> Bool {
    switch error.kind {
    case .fractionalSeconds where options.rejectsFractionalSeconds:
      options.rejectsFractionalSeconds = false
      warnings.append("\(error); rounded down, here and elsewhere")
    case .unrepresentableCharacter(1..<0x20, .xml) where !options.allowsControlCharacters:
      options.allowsControlCharacters = true
      warnings.append("\(error); written as is, here and elsewhere")
    default: return false
    }
    return true
  }
}
