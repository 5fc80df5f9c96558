/// A measurement that failed.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Throws an error with a message unless the condition is true: a benchmark must measure correct
/// results.
func ensure(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw BenchmarkError(message()) }
}
