internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The machine itself in a state file: a dictionary beside the entries of the keys.
struct StateFileMachine: Sendable, Codable {
  /// The identifier of the machine and the state file, made once.
  private(set) var origin = UInt64.random(in: .min ... .max).hexadecimal
  /// The machine's last mark in the registry; nil if there is none.
  var mark: MachineMark? {
    get { storedMark.flatMap { RegistryCoding.value($0) } }
    set { storedMark = newValue.flatMap { try? RegistryCoding.data($0) } }
  }
  private var storedMark: Data?
  /// The incarnation of the next mark; nil before the first save.
  private(set) var incarnation: Int64?

  private enum CodingKeys: String, CodingKey {
    case origin, incarnation
    case storedMark = "mark"
  }
}

extension StateFileMachine {
  /// Decodes the dictionary; nil if it is missing or invalid.
  init?(_ value: PlistValue?) {
    guard let value, let machine = try? PlistDecoder().decode(Self.self, from: value),
      HybridTime(date: .distantPast, origin: machine.origin).hasValidOrigin, !machine.origin.isEmpty
    else { return nil }
    self = machine
  }

  /// The encoded dictionary.
  var value: PlistValue? { try? PlistEncoder().encodeToValue(self) }

  /// Whether this state file's synchronizers have written a mark. If they have not, a copy of the file
  /// is in use elsewhere, as on a cloned machine, or this file is an older copy.
  func hasWritten(_ found: MachineMark) -> Bool {
    guard let new = found.incarnation, new != incarnation else { return true }
    // The mark of an earlier version has no incarnation.
    return mark.map { $0.incarnation ?? new == new } ?? false
  }

  /// Chooses a new incarnation for the next mark once a mark has the current one.
  mutating func renewIncarnation() {
    if mark?.incarnation == incarnation { incarnation = .random(in: 0 ... .max) }
  }
}

/// The names of the entries of a state file.
package enum StateFileName {
  /// The name of the dictionary of the machine.
  package static let machine = "%machine"

  /// Returns the name of the entry of a key: the key itself, with another `%` in front if it is the
  /// machine's name or an escaped form of that name.
  static func entry(ofKey key: String) -> String {
    key.hasPrefix("%") && key.drop { $0 == "%" } == "machine" ? "%" + key : key
  }
}
