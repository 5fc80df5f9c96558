package import PropertyList

extension Session {
  /// Prints the warnings about a document.
  package func warn(_ warnings: [PlistWarning], about file: String) {
    for warning in warnings { warn(warning, about: file) }
  }

  /// Warns that the dates of a document lose their fractions of seconds.
  ///
  /// - Parameter error: The error for the first of these dates.
  package func warn(ofRounding error: PlistError, about file: String? = nil) {
    warn("\(error); rounded down, here and elsewhere", about: file)
  }
}
