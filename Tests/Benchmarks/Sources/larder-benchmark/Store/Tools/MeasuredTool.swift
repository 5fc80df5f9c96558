import Foundation
import PropertyList

/// A command that is measured as a whole process.
enum MeasuredTool: String, CaseIterable {
  case empty = "no work, the same libraries"
  case get = "Larder, get"
  case getOfFoundation = "Foundation, get"
  case set = "Larder, set"
  case setOfFoundation = "Foundation, set and synchronize"
  case read = "defaults read"
  case write = "defaults write"

  /// The name of the program.
  private var program: String {
    switch self {
    case .empty: "EmptyTool"
    case .get, .set: "PreferencesTool"
    case .getOfFoundation, .setOfFoundation: "UserDefaultsTool"
    case .read, .write: "defaults"
    }
  }

  private static let key = SampleDomain.Kind.integer.fixedKey

  /// Returns the arguments. Each call needs a different number to set.
  private func arguments(setting number: Int) -> [String] {
    switch self {
    case .empty: []
    case .get, .getOfFoundation: [Self.key]
    case .set, .setOfFoundation: [Self.key, String(number)]
    case .read: ["read", Self.get.program, Self.key]
    case .write: ["write", Self.get.program, Self.key, "-int", String(number)]
    }
  }

  /// Writes the files of the domains that the tools open.
  static func prepare(_ workspace: StoreWorkspace) throws {
    let sample = SampleDomain(count: 40)
    for tool in [Self.get, .getOfFoundation] {
      try workspace.write(sample.values, to: tool.program, as: .xml)
    }
  }

  /// Throws unless the tools have saved a value.
  static func check(_ workspace: StoreWorkspace) throws {
    for tool in [Self.set, .setOfFoundation] {
      let saved = try workspace.savedValues(of: tool.program)[key]
      try ensure(saved != SampleDomain(count: 1).values[key], "\(tool.rawValue) saves nothing")
    }
  }

  // MARK: Measuring

  /// The time of a process.
  struct Sample {
    /// The nanoseconds from start to exit.
    var whole: Double
    /// The nanoseconds after the last work of the program; nil if the program does not report them.
    var end: Double?
  }

  /// Runs the command.
  ///
  /// - Parameter number: The number to set.
  func time(setting number: Int, _ workspace: StoreWorkspace) throws -> Sample {
    let program = try workspace.options.program(self.program)
    let start = Clock.wall.nanoseconds
    let output = try ChildProcess(
      arguments(setting: number), of: program
    ).waitForOutput()
    let end = Clock.wall.nanoseconds
    let words = output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    return Sample(
      whole: Double(end - start), end: words.count == 2 ? Double(end - words[1]) : nil)
  }

  /// Counts the system calls of the command.
  func systemCalls(_ workspace: StoreWorkspace) throws -> SystemCalls {
    try .count(
      arguments(setting: 1), of: workspace.options.program(program),
      log: workspace.folder + "/strace.log")
  }
}
