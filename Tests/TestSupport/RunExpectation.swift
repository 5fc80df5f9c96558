import Foundation
package import Testing

extension BuiltProgram {
  /// Runs the program in a folder and expects everything that it prints, and its exit status.
  package func expect(
    _ arguments: [String], in folder: TemporaryFolder, input: String = "", output: String = "",
    error: String = "", status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try run(arguments, in: folder, input: Data(input.utf8))
      .expect(output: output, error: error, status: status, sourceLocation: sourceLocation)
  }
}

extension BuiltProgram.Run {
  /// The parts of a run that are compared as a whole, so that a failure shows all of them.
  private struct Result: Equatable {
    let output: String
    let error: String
    let status: Int32
  }

  /// Expects everything that the run printed, and its exit status.
  package func expect(
    output: String = "", error: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = Result(output: output, error: error, status: status)
    #expect(
      Result(output: text, error: self.error, status: self.status) == expected,
      sourceLocation: sourceLocation)
  }
}
