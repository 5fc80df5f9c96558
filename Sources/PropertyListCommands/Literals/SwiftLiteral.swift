internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Swift source that declares a constant with the value of a property list. A constant that
/// contains `Any` is `nonisolated(unsafe)`, as Swift 6 requires.
enum SwiftLiteral: LiteralSyntax {
  static let language = LiteralLanguage.swift

  /// More values take seconds to type-check; the parser fails at more than 256 levels.
  static let maximumValues = 256
  static let maximumDepth = 32

  static func source(of value: PlistValue, from input: InputFile) throws(LiteralError) -> String {
    let name = LiteralName(of: input.operand, in: .swift).description
    var writer = try LiteralWriter<Self>(value, named: name)
    let type = writer.plan.type
    if writer.hasFoundationTypes { writer.source = "import Foundation\n\n" }
    writer.source += comment(for: input)
    let isolation = type.isErased ? "nonisolated(unsafe) " : ""
    let annotation = type.isErased ? " : \(type)" : ""
    writer.source += "\(isolation)let \(name)\(annotation) = "
    try writer.writeExpression(value, writer.plan, indentation: 0)
    writer.source += "\n"
    while let part = writer.nextPart() { try write(part, with: &writer) }
    return writer.source
  }

  private static func write(
    _ part: LiteralWriter<Self>.Part, with writer: inout LiteralWriter<Self>
  ) throws(LiteralError) {
    writer.source += "\nprivate func \(part.name)() -> \(part.plan.type) {\n    "
    if part.plan.isLiteral {
      try writer.writeExpression(part.value, part.plan, indentation: 1)
    } else {
      // Type-checking a literal takes quadratic time in the number of its values.
      writer.source += "var values : \(part.plan.type) = \(empty(part.value.kind))"
      try writer.writeElements(
        of: part.value, part.plan, in: part.plan.type, indentation: 1
      ) { key in
        key.map { ("values[\(string($0))] = ", "") } ?? ("values.append(", ")")
      }
      writer.source += "\n    return values"
    }
    writer.source += "\n}\n"
  }

  static func scalar(_ value: PlistValue) -> String {
    switch value {
    case .string(let text): string(text)
    case .integer(let number): String(number)
    case .unsignedInteger(let number):
      Int64(exactly: number) == nil ? "UInt64(\(number))" : String(number)
    case .real(let number): number.swiftLiteral(decimal: number.literal)
    case .float(let number): scalar(.real(Double(number)))
    case .boolean(let boolean): boolean ? "true" : "false"
    case .date(let date):
      "Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate.swiftLiteral))"
    case .data(let data):
      data.isEmpty ? "Data()" : "Data(base64Encoded: \"\(data.base64EncodedString())\")!"
    case .dictionary, .array, .set, .uid, .null:
      preconditionFailure("the plan rejects values without a literal")
    }
  }

  static func string(_ string: String) -> String { string.quoted { $0.isSafeInSource } }

  static func brackets(of kind: PlistValue.Kind) -> (opening: String, closing: String) {
    ("[", "]")
  }

  static func empty(_ kind: PlistValue.Kind) -> String { kind == .dictionary ? "[:]" : "[]" }

  /// Other types are inferred from the contents.
  static func annotation(_ type: LiteralType) -> String { type.isErased ? " as \(type)" : "" }
}

extension Double {
  /// A Swift literal that compiles to exactly this number: decimal if possible, otherwise
  /// hexadecimal. For x86, the compiler rounds a literal twice, first to 64 bits of precision and
  /// then to the 53 bits of a double. For one number in a few thousand, the result is a different
  /// number. Subnormal decimal literals cause a warning.
  var swiftLiteral: String { swiftLiteral(decimal: description) }

  /// A Swift literal that compiles to exactly this number, which has these decimal digits.
  func swiftLiteral(decimal: String) -> String {
    if isNaN { return "Double.nan" }
    if isInfinite { return self < 0 ? "-Double.infinity" : "Double.infinity" }
    if isZero || (isNormal && survivesDoubleRounding) { return decimal }
    let leadingBit: UInt64 = isNormal ? 1 << 52 : 0
    let digits = String(leadingBit | significandBitPattern, radix: 16)
    return "\(sign == .minus ? "-" : "")0x\(digits)p\(max(exponent, -1022) - 52)"
  }

  /// The number in decimal digits, with six digits after the point if that is exact.
  var literal: String {
    // For larger numbers, six digits can differ from the shortest decimal number.
    guard magnitude < 1e9 else { return description }
    return sixDecimals ?? description
  }

  /// Whether the decimal digits are so far from the midpoint of two numbers that rounding to 64
  /// bits does not move them there.
  private var survivesDoubleRounding: Bool {
    let (digits, exponent) = magnitude.decimal
    // Rounding to 64 bits changes the last of 19 digits by less than one.
    return [digits - 1, digits + 1].allSatisfy { Double("\($0)e\(exponent)") == magnitude }
  }

  /// The shortest decimal digits of a positive number, padded with zeros to 19 digits, and the
  /// power of ten that scales them.
  private var decimal: (digits: UInt64, exponent: Int) {
    let parts = description.split(separator: "e")
    let digits = parts[0].split(separator: ".")
    let significant = digits.joined().drop { $0 == "0" }
    let zeros = max(0, 19 - significant.utf8.count)
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let fraction = digits.count > 1 ? digits[1].utf8.count : 0
    return (
      UInt64(significant + String(repeating: "0", count: zeros)) ?? 0, exponent - fraction - zeros
    )
  }
}
