internal import Glibc

/// A system call that failed.
public struct SystemError: Error, Sendable, Hashable {
  /// What was attempted, as it follows "cannot": `open`, `write`, `replace`.
  public var operation: String

  /// The value of `errno`.
  public var code: Int32

  /// A failure of this code.
  public init(_ operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// The failure that `errno` tells of. Made directly behind the call, before another can change it.
  init(_ operation: String) {
    self.init(operation, code: errno)
  }
}

extension SystemError: CustomStringConvertible {
  /// One line of text, such as `cannot open: No such file or directory`.
  public var description: String {
    "cannot \(operation): \(String(cString: strerror(code)))"
  }
}
