import Glibc

/// Why the server cannot do something, as a line of text.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// The failure of a system call that has just been made.
  init(system operation: String) {
    description = "\(operation): \(String(cString: strerror(errno)))"
  }
}
