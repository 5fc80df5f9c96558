internal import FoundationEssentials
internal import PropertyList

/// The machine itself in a state file: a dictionary beside the entries of the keys.
struct StateFileMachine: Sendable, Equatable {
  /// The identifier of the machine and the state file, made once.
  let origin: String
  /// The machine's last note in the registry; nil if there is none.
  var mark: MachineMark?

  /// Makes an identifier.
  init() {
    origin = Self.digits(UInt64.random(in: .min ... .max))
  }

  /// Decodes the dictionary; nil if it is missing or invalid.
  init?(_ value: PlistValue?) {
    guard case .dictionary(let values)? = value, case .string(let origin)? = values["origin"],
      HybridTime(date: .distantPast, origin: origin).hasValidOrigin, !origin.isEmpty
    else { return nil }
    self.origin = origin
    if case .data(let data)? = values["mark"] { mark = MachineMark(data) }
  }

  /// The encoded dictionary.
  var value: PlistValue {
    var values: PlistDictionary = ["origin": .string(origin)]
    if let data = mark?.data { values["mark"] = .data(data) }
    return .dictionary(values)
  }

  private static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The names of what a state file holds.
package enum StateFileName {
  /// The name of the dictionary of the machine.
  package static let machine = "%machine"

  /// Returns the name of the entry of a key: the key itself, unless that is the machine's name or
  /// was made different from it before.
  static func entry(ofKey key: String) -> String {
    key.hasPrefix("%") && key.drop { $0 == "%" } == "machine" ? "%" + key : key
  }
}
