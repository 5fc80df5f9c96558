/// Why something could not be measured.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Makes sure that what is measured does what it should.
func ensure(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw BenchmarkError(message()) }
}
