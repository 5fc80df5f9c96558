extension Session {
  /// Prints warnings about a document.
  ///
  /// - Parameter file: The file or value that the warnings are about; nil for the tool.
  package func warn(
    _ warnings: [some CustomStringConvertible], about file: String? = nil
  ) {
    for warning in warnings { warn(warning, about: file) }
  }
}
