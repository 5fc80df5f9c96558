internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Swift source that declares a constant with the value of a property list.
///
/// A constant that contains `Any` is `nonisolated(unsafe)`, as Swift 6 requires.
enum SwiftLiteral: LiteralSyntax {
  static let language = LiteralLanguage.swift

  /// More values take seconds to type-check; the parser fails at more than 256 levels.
  static let limits = LiteralPlan.Limits(values: 256, depth: 32)

  /// The source for the value of an input.
  static func source(of value: PlistValue, from input: InputFile) throws(LiteralError) -> String {
    let name = LiteralName(of: input.operand, in: .swift).description
    var writer = try LiteralWriter<Self>(value, named: name)
    let type = writer.plan.type
    if writer.plan.hasFoundationTypes { writer.source = "import Foundation\n\n" }
    writer.source += comment(for: input)
    let isolation = type.isErased ? "nonisolated(unsafe) " : ""
    let annotation = type.isErased ? " : \(type)" : ""
    writer.source += "\(isolation)let \(name)\(annotation) = "
    try writer.writeExpression(value, number: 0, indentation: 0)
    writer.source += "\n"
    while let part = writer.nextPart() { try write(part, with: &writer) }
    return writer.source
  }

  private static func write(
    _ part: LiteralWriter<Self>.Part, with writer: inout LiteralWriter<Self>
  ) throws(LiteralError) {
    let planned = writer.plan.containers[part.number]
    writer.source += "\nprivate func \(part.name)() -> \(planned.type) {\n    "
    if planned.isLiteral {
      try writer.writeExpression(part.value, number: part.number, indentation: 1)
    } else {
      // Type-checking a literal takes quadratic time in the number of its values.
      writer.source += "var values : \(planned.type) = \(empty(part.value.kind))"
      try writer.writeElements(of: part, indentation: 1) { key in
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

  static func empty(_ kind: PlistValue.Kind) -> String {
    kind == .dictionary ? "[:]" : "[]"
  }

  /// Other types are inferred from the contents.
  static func annotation(_ type: LiteralType) -> String { type.isErased ? " as \(type)" : "" }
}
