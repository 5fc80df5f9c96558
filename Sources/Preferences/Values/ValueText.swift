internal import FoundationEssentials
package import PropertyList

/// Reads values from text by the rules of this table, for stores, arguments and the environment.
///
/// The type of an environment variable or an argument is known, from a registered default or from
/// the caller: ``value(_:as:)`` reads the whole text. A stored string is a string: the getters of
/// NSUserDefaults read how it begins, after whitespace.
///
/// | text | as a Boolean | `bool(forKey:)` of a string |
/// |---|---|---|
/// | `true`, `yes` or `1`, in any case | true | true |
/// | `on`, in any case | true | false |
/// | `false`, `no`, `0` or `off`, in any case | false | false |
/// | other text that begins with T or Y in either case | not a Boolean | true |
/// | other text that begins with an optional sign, zeros and a nonzero digit | not a Boolean | true |
/// | any other text, also `0.5` | not a Boolean | false |
///
/// The words are those of `PlistValue(booleanText:acceptsOnOff:)`. The tools use it without `on` and
/// `off`, which Apple's tools do not accept.
package enum ValueText {
  // MARK: The whole text

  /// Returns nil if the text is not of the kind. Any text is a string, also for kinds without a
  /// text form.
  static func value(_ text: String, as kind: PlistValue.Kind) -> PlistValue? {
    switch kind {
    case .integer: Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsignedInteger($0) }
    case .real: isDecimal(text) ? Double(text).map { .real($0) } : nil
    case .boolean: try? PlistValue(booleanText: text, acceptsOnOff: true)
    case .date: try? PlistValue(dateText: text)
    case .data: Data(base64Encoded: text).map { .data($0) }
    case .array, .dictionary: container(text, kind)
    case .string, .uid, .set, .null: .string(text)
    }
  }

  /// The Booleans and numbers that a value of the command line can stand for, the likeliest first.
  ///
  /// In an array or a dictionary, either all words that can are taken for numbers or all for
  /// Booleans.
  package static func readings(of value: PlistValue) -> [PlistValue] {
    switch value {
    case .string(let text): [.boolean, .integer, .real].compactMap { self.value(text, as: $0) }
    case .array, .dictionary:
      [
        replacing(value) { self.value($0, as: .integer) ?? self.value($0, as: .real) },
        replacing(value) { self.value($0, as: .boolean) },
      ]
    default: []
    }
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

  private static func container(_ text: String, _ kind: PlistValue.Kind) -> PlistValue? {
    guard let value = try? Plist.read(Data(text.utf8)).value, value.kind == kind,
      (try? value.checkStorable()) != nil
    else { return nil }
    return value
  }

  /// Whether the text is a decimal number and nothing else.
  static func isDecimal(_ text: String) -> Bool {
    text[...].decimalPrefix.endIndex == text.endIndex
  }

  // MARK: The beginning of the text

  static func bool(prefixOf text: String) -> Bool {
    let text = text.withoutLeadingWhitespace
    return switch text.utf8.first {
    case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "y"), UInt8(ascii: "Y"): true
    default: text.utf8.withoutSign.drop { $0 == UInt8(ascii: "0") }.first?.isDigit == true
    }
  }

  /// The leading integer, clamped to `Int`; 0 without one.
  static func integer(prefixOf text: String) -> Int {
    let text = text.withoutLeadingWhitespace
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    var number = 0
    for byte in text.utf8.withoutSign.prefix(while: \.isDigit) {
      let digit = Int(byte - UInt8(ascii: "0"))
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if isTooLarge || isBeyond { return isNegative ? .min : .max }
      number = sum
    }
    return number
  }

  /// The leading decimal number: an optional sign, digits with or without a decimal point, and an
  /// optional exponent. Empty without one.
  static func decimalPrefix(of text: String) -> Substring {
    text.withoutLeadingWhitespace.decimalPrefix
  }
}

extension String {
  /// Whitespace as Unicode defines it.
  fileprivate var withoutLeadingWhitespace: Substring {
    Substring(unicodeScalars.drop { $0.properties.isWhitespace })
  }
}

extension Substring {
  fileprivate var decimalPrefix: Substring {
    var rest = utf8.withoutSign
    let whole = rest.prefix(while: \.isDigit)
    rest = rest[whole.endIndex...]
    var hasDigits = !whole.isEmpty
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: \.isDigit)
      hasDigits = hasDigits || !fraction.isEmpty
      rest = rest[fraction.endIndex...]
    }
    guard hasDigits else { return self[..<startIndex] }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      let exponent = rest.dropFirst().withoutSign.prefix(while: \.isDigit)
      if !exponent.isEmpty { rest = rest[exponent.endIndex...] }
    }
    return self[..<rest.startIndex]
  }
}

extension Substring.UTF8View {
  fileprivate var withoutSign: Substring.UTF8View {
    first == UInt8(ascii: "+") || first == UInt8(ascii: "-") ? dropFirst() : self
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
