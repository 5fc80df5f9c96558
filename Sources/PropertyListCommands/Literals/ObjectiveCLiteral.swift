internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Objective-C source that defines a function that returns the value of a property list.
///
/// It is a function because dates and data are not constant expressions. The source requires
/// automatic reference counting.
enum ObjectiveCLiteral: LiteralSyntax {
  static let language = LiteralLanguage.objectiveC

  /// Clang fails at more than 256 nested brackets.
  static let limits = LiteralPlan.Limits(values: .max, depth: 64)

  /// The source for the value of an input.
  ///
  /// - Parameter header: The name of a header file that declares the function; nil to declare it
  ///   here.
  static func source(
    of value: PlistValue, from input: InputFile, header: String?
  ) throws(LiteralError) -> String {
    let name = LiteralName(of: input.operand, in: .objectiveC).description
    var writer = try LiteralWriter<Self>(value, named: name)
    let declaration = declaration(of: value, named: name)
    writer.source = comment(for: input)
    if let header {
      writer.source += "#import \"\(header)\"\n"
    } else {
      writer.source += "#import <Foundation/Foundation.h>\n\n\(declaration);\n"
    }
    let parts = writer.plan.containers.dropFirst().filter(\.isSeparate)
    if !parts.isEmpty { writer.source += "\n" }
    for number in parts.indices {
      writer.source += "static id \(name)_\(number + 1)(void);\n"
    }
    try write(value, number: 0, as: declaration, with: &writer)
    while let part = writer.nextPart() {
      try write(part.value, number: part.number, as: "static id \(part.name)(void)", with: &writer)
    }
    return writer.source
  }

  /// The source of a header file that declares the function.
  static func header(of value: PlistValue, from input: InputFile) -> String {
    let name = LiteralName(of: input.operand, in: .objectiveC).description
    return comment(for: input) + "#import <Foundation/Foundation.h>\n\n"
      + declaration(of: value, named: name) + ";\n"
  }

  private static func comment(for input: InputFile) -> String {
    "// Made by plutil from \(input.name.onOneLine).\n"
  }

  private static func declaration(of value: PlistValue, named name: String) -> String {
    let type =
      switch value.kind {
      case .dictionary: "NSDictionary"
      case .array: "NSArray"
      case .string: "NSString"
      case .date: "NSDate"
      case .data: "NSData"
      default: "NSNumber"
      }
    return "\(type) *\(name)(void)"
  }

  private static func write(
    _ value: PlistValue, number: Int, as declaration: String,
    with writer: inout LiteralWriter<Self>
  ) throws(LiteralError) {
    writer.source += "\n\(declaration) {\n  return "
    try writer.writeExpression(value, number: number, indentation: 1)
    writer.source += ";\n}\n"
  }

  static func scalar(_ value: PlistValue) -> String {
    switch value {
    case .string(let text): string(text)
    case .integer(let number): integer(number)
    case .unsignedInteger(let number):
      Int64(exactly: number).map(integer) ?? "@\(number)ULL"
    case .real(let number): "@(\(real(number)))"
    case .float(let number): "@(\(real(Double(number))))"
    case .boolean(let boolean): boolean ? "@YES" : "@NO"
    case .date(let date):
      "[NSDate dateWithTimeIntervalSinceReferenceDate:"
        + "\(real(date.timeIntervalSinceReferenceDate))]"
    case .data(let data):
      data.isEmpty
        ? "[NSData data]"
        : "[[NSData alloc] initWithBase64EncodedString:@\"\(data.base64EncodedString())\" options:0]"
    case .dictionary, .array, .set, .uid, .null:
      preconditionFailure("the plan rejects values without a literal")
    }
  }

  private static func integer(_ number: Int64) -> String {
    // C parses the least number as a negated literal, which would overflow.
    if number == .min { return "@(\(Int64.min + 1)LL - 1)" }
    return Int32(exactly: number) == nil ? "@\(number)LL" : "@\(number)"
  }

  private static func real(_ number: Double) -> String {
    if number.isNaN { return "NAN" }
    if number.isInfinite { return number < 0 ? "-INFINITY" : "INFINITY" }
    // The description always has a point or an exponent.
    return number.description
  }

  static func string(_ string: String) -> String {
    var literal = "@\""
    var previous: Unicode.Scalar?
    for scalar in string.unicodeScalars {
      switch scalar {
      case _ where scalar.simpleEscape != nil: literal += scalar.simpleEscape ?? ""
      // Two in a row begin a trigraph.
      case "?" where previous == "?": literal += "\\?"
      case _ where scalar.isSafeInSource: literal.unicodeScalars.append(scalar)
      case _ where scalar.value < 0xA0: literal += octal(scalar)
      case _ where scalar.value <= 0xFFFF: literal += "\\u" + hexadecimal(scalar, digits: 4)
      default: literal += "\\U" + hexadecimal(scalar, digits: 8)
      }
      previous = scalar
    }
    return literal + "\""
  }

  /// The UTF-8 bytes of a character in three octal digits each, so that a digit after them is not
  /// taken for one of them. C has no Unicode escapes for control characters.
  private static func octal(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar, digits count: Int) -> String {
    let digits = String(scalar.value, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }

  static func brackets(of kind: PlistValue.Kind) -> (opening: String, closing: String) {
    kind == .dictionary ? ("@{", "}") : ("@[", "]")
  }

  static func empty(_ kind: PlistValue.Kind) -> String {
    kind == .dictionary ? "@{}" : "@[]"
  }

  static func annotation(_ type: LiteralType) -> String { "" }
}
