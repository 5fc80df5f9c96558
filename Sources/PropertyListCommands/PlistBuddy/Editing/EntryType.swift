internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The types of `Add` and `Clear`, by name.
enum EntryType: String, CaseIterable {
  case string, array, dict, bool, real, integer, date, data

  /// The type of a case-insensitive name.
  init(named name: String) throws(PrintedFailure) {
    guard let type = Self(rawValue: name.lowercased()) else {
      throw .syntax(
        "Unrecognized Type: \(name)", "expected \(Self.allCases.map(\.rawValue).alternatives)")
    }
    self = type
  }

  /// Parses a value; nil is an empty container, an empty string, no bytes, zero, or false.
  func value(_ text: String?) throws(PrintedFailure) -> PlistValue {
    guard let text else { return try empty }
    if self == .array || self == .dict, !text.isEmpty {
      throw .syntax(
        "Unexpected Value for Type: \(rawValue)",
        "an array or a dict takes no value; add its entries one by one")
    }
    do throws(PlistError.Kind) {
      switch self {
      case .string: return .string(text)
      case .data: return .data(Data(text.utf8))
      case .array: return .array([])
      case .dict: return .dictionary([:])
      case .bool: return try PlistValue(booleanText: text)
      case .real: return try PlistValue(realText: text)
      case .integer: return try PlistValue(integerText: text)
      case .date: return try PlistValue(commandDateText: text)
      }
    } catch {
      let title = rawValue.prefix(1).uppercased() + rawValue.dropFirst()
      throw .syntax("Unrecognized \(title) Format", "\(error)")
    }
  }

  private var empty: PlistValue {
    get throws(PrintedFailure) {
      switch self {
      case .string: .string("")
      case .array: .array([])
      case .dict: .dictionary([:])
      case .bool: .boolean(false)
      case .real: .real(0)
      case .integer: .integer(0)
      case .data: .data(Data())
      case .date: try value("")
      }
    }
  }

  /// Parses a value of the same type as another.
  static func value(_ text: String, like value: PlistValue) throws -> PlistValue {
    switch value.kind {
    case .string: try Self.string.value(text)
    case .boolean: try Self.bool.value(text)
    case .real: try Self.real.value(text)
    case .integer: try Self.integer.value(text)
    case .date: try Self.date.value(text)
    case .data: try Self.data.value(text)
    case .array, .dictionary, .set: throw CommandFailure("Set: Cannot Perform Set On Containers")
    case .uid, .null: throw CommandFailure("Set: Cannot Perform Set On \(value.kind.withArticle)")
    }
  }
}
