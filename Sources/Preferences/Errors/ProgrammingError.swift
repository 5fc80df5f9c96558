internal import PropertyList

/// Ends the process after a call that no correct program makes.
enum ProgrammingError {
  /// Ends the process if a value cannot be stored, with a message that names the key, the place in
  /// the value, and the Swift type.
  ///
  /// - Parameters:
  ///   - key: The key of the value; nil if the error names it.
  ///   - valueOf: Returns the value that was passed for a key.
  static func stopping<Result>(
    at key: String? = nil, typeOf valueOf: (String) -> Any?,
    _ body: () throws(PreferencesError) -> Result
  ) -> Result {
    do throws(PreferencesError) {
      return try body()
    } catch {
      let error = key.map(error.within) ?? error
      fatalError("\(error)\(context(of: error, valueOf))")
    }
  }

  /// Names the type of the value, unless the error does.
  private static func context(of error: PreferencesError, _ valueOf: (String) -> Any?) -> String {
    let place = error.key
    guard let key = place?.components.first, let value = valueOf(key) else { return "" }
    if case .unsupportedType = error, place?.components.count == 1 { return "" }
    return " (in a value of type \(type(of: value)))"
  }
}

extension PreferencesError {
  /// The place of a value that cannot be stored, beginning with its key.
  fileprivate var key: PlistKeyPath? {
    if case .nestedTooDeeply(_, let place) = self { place } else { place }
  }
}
