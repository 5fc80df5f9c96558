internal import CommandLineInterface
internal import PropertyList

extension Session {
  /// Tells what is odd about a file.
  func warn(_ warnings: [PlistWarning], about file: String) {
    for warning in warnings { warn(warning, about: file) }
  }

  /// Tells that dates of a file lose their fractions.
  func warn(ofRounding error: PlistError, about file: String) {
    warn("\(error); rounded down, here and elsewhere", about: file)
  }
}
