package import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The output and errors of commands, in order: forwarded immediately, or kept until the commands
/// need not run again.
package final class Transcript {
  private enum Piece {
    case output([UInt8])
    case note(String)
    case failure(String)
  }

  private let session: Session?
  private var pieces: [Piece] = []
  private var output: [UInt8] = []
  /// The number of bytes printed to standard output so far.
  private(set) var printedSize = 0

  /// - Parameter session: The session to which everything is forwarded; nil to keep everything.
  package init(forwardingTo session: Session?) { self.session = session }

  /// The number of bytes that are buffered before they are forwarded.
  private static let bufferSize = 64 << 10

  /// Prints to standard output.
  func print(_ text: String) { write(text.utf8) }

  func write(_ bytes: some Sequence<UInt8>) {
    let before = output.count
    output += bytes
    printedSize += output.count - before
    if output.count >= Self.bufferSize { flush() }
  }

  /// Prints a line to standard error.
  func note(_ line: String) { add(.note(line)) }

  /// Prints a line of an error to standard error; the exit status becomes 1.
  func fail(_ line: String) { add(.failure(line)) }

  /// Reports why a command fails.
  func report(_ error: any Error) {
    switch error {
    case let failure as PrintedFailure:
      print(failure.notice.onOneLine + "\n")
      fail(failure.line)
    case let failure as CommandFailure:
      for line in failure.lines { fail(line) }
    default: fail("\(error)")
    }
  }

  func flush() {
    guard !output.isEmpty else { return }
    let piece = Piece.output(output)
    output.removeAll(keepingCapacity: session != nil)
    forward(piece)
  }

  /// Forwards everything that was kept to a session.
  func replay(in session: Session) {
    flush()
    for piece in pieces { Self.perform(piece, in: session) }
    pieces = []
  }

  private func add(_ piece: Piece) {
    flush()
    forward(piece)
  }

  private func forward(_ piece: Piece) {
    if let session { Self.perform(piece, in: session) } else { pieces.append(piece) }
  }

  private static func perform(_ piece: Piece, in session: Session) {
    switch piece {
    case .output(let bytes): session.write(Data(bytes))
    case .note(let line): session.note(line)
    case .failure(let line): session.fail([line])
    }
  }
}

/// A failure that is reported as Apple's PlistBuddy reports it, with a line on standard output, and
/// explained on standard error.
struct PrintedFailure: Error {
  /// The line for standard output, in the words that scripts match on.
  let notice: String
  /// The tool or the file that the explanation is about.
  let subject: String
  /// The cause, what was expected, and how to fix it.
  let explanation: String

  /// The line for standard error.
  var line: String { "\(subject): \(explanation)" }

  /// The failure to parse a command or a value.
  static func syntax(_ notice: String, _ explanation: String) -> PrintedFailure {
    PrintedFailure(notice: notice, subject: "PlistBuddy", explanation: explanation)
  }

  /// The failure to read the edited file.
  static func unreadable(_ path: String, _ reason: String) -> PrintedFailure {
    PrintedFailure(notice: "Error Reading File: \(path)", subject: path, explanation: reason)
  }
}
