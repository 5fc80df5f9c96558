import Foundation

/// The process that performs one counted step.
enum CountedProcess {
  /// Performs the step named by the first argument on the file named by the second.
  static func run(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == 2, let step = CountedStep(rawValue: arguments[0]) else {
      throw UsageError("count needs a step and a file")
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
    try step.runAndExit(data)
  }
}
