internal import FoundationEssentials
internal import PropertyList

/// The types that `Add` and `Clear` know, by their names.
enum EntryType: String, CaseIterable {
  case string, array, dict, bool, real, integer, date, data

  /// The type of a name, in letters of any case.
  init(named name: String) throws(EditFailure) {
    guard let type = Self(rawValue: name.lowercased()) else {
      throw EditFailure("Unrecognized Type: \(name)")
    }
    self = type
  }

  /// The value that a text spells.
  ///
  /// - Parameter text: Nil for the empty container or string, no bytes, zero, or false.
  func value(_ text: String?) throws(EditFailure) -> PlistValue {
    guard let text else { return try empty }
    do throws(PlistError.Kind) {
      switch self {
      case .string: return .string(text)
      case .data: return .data(Data(text.utf8))
      case .array, .dict: throw .unexpectedText(expected: "none for a container")
      case .bool:
        if let boolean = PlistValue(booleanText: text) { return boolean }
        throw .unexpectedText(expected: "true, false, yes, no, 1 or 0")
      case .real: return try PlistValue(realText: text)
      case .integer: return try PlistValue(integerText: text)
      case .date: return try PlistValue(commandDateText: text)
      }
    } catch {
      throw EditFailure("Unrecognized Value: \(text): \(error)")
    }
  }

  private var empty: PlistValue {
    get throws(EditFailure) {
      switch self {
      case .string: .string("")
      case .array: .array([])
      case .dict: .dictionary([:])
      case .bool: .boolean(false)
      case .real: .real(0)
      case .integer: .integer(0)
      case .data: .data(Data())
      case .date: throw EditFailure("Unrecognized Value: a date needs one")
      }
    }
  }

  /// The value of another's type that a text spells.
  static func value(_ text: String, like value: PlistValue) throws(EditFailure) -> PlistValue {
    switch value.kind {
    case .string: try Self.string.value(text)
    case .boolean: try Self.bool.value(text)
    case .real: try Self.real.value(text)
    case .integer: try Self.integer.value(text)
    case .date: try Self.date.value(text)
    case .data: try Self.data.value(text)
    case .array, .dictionary, .set:
      throw EditFailure("Set: Cannot Perform Set On Containers")
    case .uid, .null:
      throw EditFailure("Set: Cannot Perform Set On \(value.kind.withArticle)")
    }
  }
}
