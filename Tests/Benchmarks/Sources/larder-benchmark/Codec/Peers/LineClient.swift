import Foundation

/// A client of a child process that answers each line with a line.
final class LineClient {
  private let name: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Starts a program whose standard error is discarded.
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

  /// Sends a line and returns the answer.
  func request(_ line: String) throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    var answer = Data()
    while answer.last != UInt8(ascii: "\n") {
      guard let more = try output.fileHandleForReading.read(upToCount: 1), !more.isEmpty else {
        throw BenchmarkError("\(name) has exited")
      }
      answer += more
    }
    return String(decoding: answer.dropLast(), as: UTF8.self)
  }

  /// Returns a function that requests an operation a number of times and returns the time in
  /// nanoseconds.
  func timer(_ operation: CodecOperation, _ document: SampleDocument) -> (Int) throws -> Double {
    let verb = operation.isReading ? "read" : "write"
    let format = operation.format
    let path = document.path(operation.isReading ? format : .binary)
    return { count in
      let answer = try self.request("\(verb) \(format.rawValue) \(count) \(path)")
      guard let nanoseconds = Double(answer) else {
        throw BenchmarkError("\(self.name) cannot \(verb) \(path): \(answer)")
      }
      return nanoseconds
    }
  }
}
