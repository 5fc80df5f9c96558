internal import CommandLineInterface
internal import FoundationEssentials

/// What commands print and report, in order: passed on as it comes, or kept until it is certain that
/// the commands need not run again.
final class Transcript {
  private enum Piece {
    case output([UInt8])
    case note(String)
    case failure(String)
  }

  private let session: Session?
  private var pieces: [Piece] = []
  private var output: [UInt8] = []

  /// - Parameter session: What takes the pieces as they come; nil to keep them.
  init(passingTo session: Session?) {
    self.session = session
  }

  /// How much output is gathered before it is passed on.
  private static let bufferSize = 64 << 10

  /// Prints to standard output.
  func print(_ text: String) { put(text.utf8) }

  /// Puts bytes on standard output.
  func put(_ bytes: some Sequence<UInt8>) {
    output += bytes
    if output.count >= Self.bufferSize { flush() }
  }

  /// Prints a line to standard error.
  func note(_ line: String) { add(.note(line)) }

  /// Prints a line of an error to standard error; the exit status becomes 1.
  func fail(_ line: String) { add(.failure(line)) }

  /// Passes on the output so far.
  func flush() {
    guard !output.isEmpty else { return }
    let piece = Piece.output(output)
    output.removeAll(keepingCapacity: session != nil)
    pass(piece)
  }

  /// Gives a session all that was kept.
  func replay(in session: Session) {
    flush()
    for piece in pieces { Self.perform(piece, in: session) }
    pieces = []
  }

  private func add(_ piece: Piece) {
    flush()
    pass(piece)
  }

  private func pass(_ piece: Piece) {
    if let session { Self.perform(piece, in: session) } else { pieces.append(piece) }
  }

  private static func perform(_ piece: Piece, in session: Session) {
    switch piece {
    case .output(let bytes): session.put(Data(bytes))
    case .note(let line): session.note(line)
    case .failure(let line): session.fail([line])
    }
  }
}
