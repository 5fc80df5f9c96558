internal import PropertyList

/// The possible meanings of a word of the command line.
enum ArgumentText {
  /// The values of other kinds that what the command line gives can stand for, the likeliest first.
  ///
  /// In an array or a dictionary all words that can are taken for Booleans, or all for numbers.
  static func readings(of value: PlistValue) -> [PlistValue] {
    switch value {
    case .string(let text):
      let number = number(text)
      let real: PlistValue? =
        if case .real? = number { nil } else { Double(text).map { .real($0) } }
      return [boolean(text), number, real].compactMap { $0 }
    case .array, .dictionary:
      return [replacing(value, by: number), replacing(value, by: boolean)]
    default:
      return []
    }
  }

  private static func boolean(_ text: String) -> PlistValue? {
    PlistValue(booleanText: text, acceptsOnOff: true)
  }

  private static func number(_ text: String) -> PlistValue? {
    if let number = Int64(text) { return .integer(number) }
    if let number = UInt64(text) { return .unsignedInteger(number) }
    return Double(text).map { .real($0) }
  }

  /// The value with all words in it replaced that stand for something else.
  private static func replacing(
    _ value: PlistValue, by reading: (String) -> PlistValue?
  ) -> PlistValue {
    switch value {
    case .string(let text): reading(text) ?? value
    case .array(let elements): .array(elements.map { replacing($0, by: reading) })
    case .dictionary(let entries):
      .dictionary(PlistDictionary(entries.map { ($0.key, replacing($0.value, by: reading)) }))
    default: value
    }
  }
}
