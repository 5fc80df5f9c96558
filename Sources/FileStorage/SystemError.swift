internal import Glibc

/// A system call that failed.
package struct SystemError: Error, Sendable, Hashable {
  /// What was attempted, as it follows "cannot": `open`, `write`, `replace`.
  package var operation: String

  /// The value of `errno`.
  package var code: Int32

  /// The failure that `errno` tells of. Made directly behind the call, before another can change it.
  init(_ operation: String, code: Int32 = errno) {
    self.operation = operation
    self.code = code
  }
}

extension SystemError: CustomStringConvertible {
  /// One line of text, such as `cannot open: No such file or directory`.
  package var description: String {
    "cannot \(operation): \(String(cString: strerror(code)))"
  }
}
