internal import FileStorage
package import FoundationEssentials
internal import Glibc
internal import Threading

/// The text of stamps, which is parsed at most once.
final class StampText: Sendable {
  let text: String
  /// Nil before the text is parsed, and if it is invalid.
  private let parsed: Lock<Stamps?>

  init(_ text: String) { (self.text, parsed) = (text, Lock(nil)) }

  init(_ stamps: Stamps) { (text, parsed) = (stamps.text, Lock(stamps)) }

  /// Nil if the text is invalid or of a later version.
  var stamps: Stamps? {
    parsed.withLock { stamps in
      stamps = stamps ?? Stamps(text)
      return stamps
    }
  }
}

/// A process's knowledge of the stamps of a domain.
struct KnownStamps {
  /// The text that the file had when it was last read or saved with stamps.
  private(set) var text: StampText?
  /// Whether the file was read later and had no stamps. Its keys are still tracked, and the next
  /// commit writes them again.
  private(set) var isLost = false
  /// Nil for the clock of the system.
  weak var clock: StampClock?

  /// The text in the file.
  var stored: StampText? { isLost ? nil : text }

  /// The stamps, as far as they belong to the file's values.
  var stamps: Stamps? { isLost ? text?.stamps?.untimed : text?.stamps }

  /// The file was read.
  mutating func didRead(_ new: StampText?) {
    isLost = new == nil && text != nil
    // The known text may already be parsed.
    if let new, new.text != text?.text { text = new }
  }

  /// The file was saved.
  mutating func didSave(_ new: StampText?) { (text, isLost) = (new, false) }

  /// Identifies the machine, the user and the path of a file in its stamps.
  static func machine(path: String) -> String {
    StableHash.hash("\(machineID) \(getuid()) \(path)").hexadecimal
  }

  private static let machineID: String = {
    let data = try? AtomicFile.read("/etc/machine-id")
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }()
}

/// The clock of a synchronizer, which knows how far the machine's clock is wrong.
package final class StampClock: Sendable {
  private let own: @Sendable () -> Date
  private let correction = Lock(TimeInterval(0))

  /// - Parameter own: Returns the time of the machine. It may be called while the file is locked.
  package init(_ own: @escaping @Sendable () -> Date) { self.own = own }

  /// Adds seconds to future times of the machine.
  package func correct(by seconds: TimeInterval) { correction.withLock { $0 = seconds } }

  var date: Date { own() + correction.withLock { $0 } }
}
