import Foundation

/// A process that answers each line with a line.
final class Conversation {
  private let name: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts a program, whose errors are not shown.
  init(_ name: String, with program: URL, _ arguments: [String]) throws {
    self.name = name
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func ask(_ question: String) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data((question + "\n").utf8))
    var answer = Data()
    while answer.last != UInt8(ascii: "\n") {
      guard let more = try output.fileHandleForReading.read(upToCount: 1), !more.isEmpty else {
        throw BenchmarkError("\(name) has ended")
      }
      answer += more
    }
    return String(decoding: answer.dropLast(), as: UTF8.self)
  }

  /// What asks for an operation so many times and is told the nanoseconds that it took.
  func timer(_ operation: CodecOperation, _ document: SampleDocument) -> (Int) throws -> Double {
    let verb = operation.isReading ? "read" : "write"
    let format = operation.format
    let path = document.path(operation.isReading ? format : .binary)
    return { count in
      let answer = try self.ask("\(verb) \(format.rawValue) \(count) \(path)")
      guard let nanoseconds = Double(answer) else {
        throw BenchmarkError("\(self.name) does not \(verb) it: \(answer)")
      }
      return nanoseconds
    }
  }
}
