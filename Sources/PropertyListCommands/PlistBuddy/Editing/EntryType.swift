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
    if self == .array || self == .dict, text?.isEmpty == false {
      throw .syntax(
        "Unexpected Value for Type: \(rawValue)",
        "an array or a dict takes no value; add its entries one by one")
    }
    do throws(PlistError.Kind) {
      switch self {
      case .string: return .string(text ?? "")
      case .data: return .data(Data((text ?? "").utf8))
      case .array: return .array([])
      case .dict: return .dictionary([:])
      case .bool: return try PlistValue(booleanText: text ?? "false")
      case .real: return try PlistValue(realText: text ?? "0")
      case .integer: return try PlistValue(integerText: text ?? "0")
      case .date: return try PlistValue(commandDateText: text ?? "")
      }
    } catch {
      let title = rawValue.prefix(1).uppercased() + rawValue.dropFirst()
      throw .syntax("Unrecognized \(title) Format", "\(error)")
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

/// Dates in the format of the command `date`, in UTC and English: `Mon Jan 01 00:00:00 UTC 2024`.
extension PlistValue {
  /// Parses a date in this format, or in one of ISO 8601.
  init(commandDateText text: String) throws(PlistError.Kind) {
    let words = text.split(separator: " ").map { $0.lowercased() }
    var spelling = text
    if words.count == 6, words[4] == "utc" || words[4] == "gmt",
      Date.weekdays.contains(where: { $0.lowercased() == words[0] }),
      let month = Date.months.firstIndex(where: { $0.lowercased() == words[1] })
    {
      spelling = "\(words[5])-\(Date.padded(String(month + 1)))-\(Date.padded(words[2]))"
      spelling += "T\(words[3])Z"
    }
    do throws(PlistError.Kind) {
      try self.init(dateText: spelling)
    } catch .unexpectedText {
      throw .unexpectedText(
        expected: "a date such as Mon Jan 01 00:00:00 UTC 2024 or 2024-01-01T00:00:00Z")
    }
  }
}

extension Date {
  /// The date in this format; the seconds since 2001 for dates outside the range of calendar dates.
  var commandText: String {
    guard let text = propertyListText, let monthStart = text.dropFirst().firstIndex(of: "-"),
      let month = Int(text[monthStart...].dropFirst().prefix(2)), 1...12 ~= month
    else { return descriptionText }
    let year = text[..<monthStart]
    // -01-31T23:59:59Z
    let day = text[monthStart...].dropFirst(4).prefix(2)
    let time = text[monthStart...].dropFirst(7).dropLast()
    // 2001 began on a Monday.
    let days = (timeIntervalSinceReferenceDate / 86400).rounded(.down)
    let weekday = Int((days - 7 * (days / 7).rounded(.down)).rounded())
    return "\(Self.weekdays[weekday]) \(Self.months[month - 1]) \(day) \(time) UTC \(year)"
  }

  fileprivate static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  fileprivate static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  fileprivate static func padded(_ digits: String) -> String {
    (digits.utf8.count < 2 ? "0" : "") + digits
  }
}
