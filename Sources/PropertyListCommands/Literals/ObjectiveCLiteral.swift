internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Objective-C source that defines a constant with the value of a property list. The constant is a
/// variable that the class method `load` sets before `main`: dates and data are not constant
/// expressions, and neither are numbers and containers for most compilers. A header file declares
/// it as a constant; the source cannot include that file. Automatic reference counting is required.
enum ObjectiveCLiteral: LiteralSyntax {
  static let language = LiteralLanguage.objectiveC

  static let maximumValues = Int.max
  /// Clang fails at more than 256 nested brackets.
  static let maximumDepth = 64

  private static let importLine = "#import <Foundation/Foundation.h>\n\n"

  static func source(of value: PlistValue, from input: InputFile) throws(LiteralError) -> String {
    let name = LiteralName(of: input.operand, in: .objectiveC).description
    var writer = try LiteralWriter<Self>(value, named: name)
    let heading = comment(for: input) + hidden
    if case .string(let text) = value {
      return importLine + heading + "NSString * const \(name) = \(string(text));\n"
    }
    writer.source =
      importLine + """
        #if !__has_feature(objc_arc)
        #error "Compile this file with -fobjc-arc."
        #endif


        """
    writer.source += heading + "\(className(of: value)) *\(name);\n"
    let parts = 0..<writer.plan.separateCount
    if !parts.isEmpty { writer.source += "\n" }
    for number in parts { writer.source += "static id \(name)_\(number + 1)(void);\n" }
    writer.source += """

      @interface \(name)PropertyList : NSObject
      @end

      @implementation \(name)PropertyList
      + (void)load {
          @autoreleasepool {
              \(name) =\u{20}
      """
    try writer.writeExpression(value, writer.plan, indentation: 2)
    writer.source += ";\n    }\n}\n@end\n"
    while let part = writer.nextPart() {
      writer.source += "\nstatic id \(part.name)(void) {\n    return "
      try writer.writeExpression(part.value, part.plan, indentation: 1)
      writer.source += ";\n}\n"
    }
    return writer.source
  }

  static func header(of value: PlistValue, from input: InputFile) -> String {
    let name = LiteralName(of: input.operand, in: .objectiveC).description
    return importLine + comment(for: input) + hidden
      + "extern \(className(of: value)) * const \(name);\n"
  }

  /// Prevents a library from exporting the name.
  private static let hidden = "__attribute__((visibility(\"hidden\")))\n"

  private static func className(of value: PlistValue) -> String {
    switch value.kind {
    case .dictionary: "NSDictionary"
    case .array: "NSArray"
    case .string: "NSString"
    case .date: "NSDate"
    case .data: "NSData"
    default: "NSNumber"
    }
  }

  static func scalar(_ value: PlistValue) -> String {
    switch value {
    case .string(let text): string(text)
    case .integer(let number): integer(number)
    case .unsignedInteger(let number): Int64(exactly: number).map(integer) ?? "@\(number)ULL"
    case .real(let number): boxed(number)
    case .float(let number): boxed(Double(number))
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
    // C parses the smallest number as a negated literal, which would overflow.
    if number == .min { return "@(\(Int64.min + 1)LL - 1)" }
    return Int32(exactly: number) == nil ? "@\(number)LL" : "@\(number)"
  }

  private static func boxed(_ number: Double) -> String {
    number.isFinite ? "@\(number.literal)" : "@(\(real(number)))"
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
      // Two question marks would begin a trigraph.
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

  /// The UTF-8 bytes of a character in three octal digits each, so that a following digit is not
  /// mistaken for part of the escape. C has no Unicode escapes for control characters.
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

  static func empty(_ kind: PlistValue.Kind) -> String { kind == .dictionary ? "@{}" : "@[]" }

  static func annotation(_ type: LiteralType) -> String { "" }
}
