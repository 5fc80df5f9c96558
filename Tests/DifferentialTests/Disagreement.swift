import Foundation
import FuzzTargets
import PropertyList
import Testing

/// The result of passing a value through another program.
enum Outcome: Equatable {
  /// An equal value.
  case same
  /// Another value.
  case becomes(TypedText)
  /// The error of the other program: plistlib's exception, plutil's message, or the signal that
  /// ended it.
  case theirError(String)
  /// The error of our writer or reader.
  case ourError(String)

  /// Another value.
  static func becomes(_ value: PlistValue) -> Outcome { .becomes(TypedText(value)) }
}

/// A value on which programs disagree, or might be expected to.
struct Disagreement: CustomTestStringConvertible {
  /// A way through two programs.
  enum Route: CaseIterable {
    /// We write, plistlib reads.
    case xmlToPlistlib, binaryToPlistlib
    /// plistlib writes, we read.
    case plistlibToXML, plistlibToBinary
    /// We write, the toolchain's plutil checks.
    case xmlToLint, binaryToLint
    /// We write, the toolchain's plutil converts, we read.
    case xmlToBinary, binaryToXML

    /// Whether the route begins with XML that we write.
    var beginsWithOurXML: Bool {
      switch self {
      case .xmlToPlistlib, .xmlToLint, .xmlToBinary: true
      case .binaryToPlistlib, .plistlibToXML, .plistlibToBinary, .binaryToLint, .binaryToXML: false
      }
    }
  }

  let testDescription: String
  let value: PlistValue
  private let refusal: String?
  private let outcomes: [Route: Outcome]

  /// Creates a row of the table.
  ///
  /// - Parameters:
  ///   - refusal: The error of our XML writer, if it refuses the value.
  ///   - outcomes: The outcomes other than an equal value.
  private init(
    _ description: String, _ value: PlistValue, notWrittenAsXML refusal: String? = nil,
    _ outcomes: [Route: Outcome] = [:]
  ) {
    testDescription = description
    self.value = value
    self.refusal = refusal
    self.outcomes = outcomes
  }

  /// The outcome according to the table.
  func outcome(on route: Route) -> Outcome {
    if route.beginsWithOurXML, let refusal { return .ourError(refusal) }
    return outcomes[route] ?? .same
  }
}

// MARK: The table

extension Disagreement {
  /// The outcomes with plistlib, the toolchain's plutil and our own reader and writer.
  static let all = kinds + dates + numbers + texts

  /// The message of plutil for kinds that it does not know.
  private static let notStringKeys =
    "Dictionaries are required to have string keys in property lists"

  private static let kinds: [Disagreement] = [
    Disagreement(
      // plistlib supports UIDs only in binary; plutil reads them but cannot write them.
      "a UID", [.uid(5)],
      [
        .xmlToPlistlib: .becomes([["CF$UID": 5]]), .plistlibToXML: .theirError("TypeError"),
        .xmlToBinary: .theirError(notStringKeys), .binaryToXML: .theirError(notStringKeys),
      ]),
    Disagreement(
      "a dictionary that looks like a UID", [["CF$UID": 5]],
      notWrittenAsXML:
        "a dictionary whose only key is CF$UID would be read back as a UID (key path 0)",
      [.plistlibToXML: .becomes([.uid(5)]), .binaryToXML: .becomes([.uid(5)])]),
    Disagreement(
      "null", [.null], notWrittenAsXML: "XML cannot represent null (key path 0)",
      [.plistlibToXML: .theirError("TypeError"), .binaryToXML: .theirError(notStringKeys)]),
    Disagreement(
      "a set", [.set([1])], notWrittenAsXML: "XML cannot represent sets (key path 0)",
      [
        .binaryToPlistlib: .theirError("InvalidFileException"),
        .plistlibToXML: .theirError("ValueError"), .plistlibToBinary: .theirError("ValueError"),
        .binaryToLint: .theirError("signal 11"), .binaryToXML: .theirError("signal 11"),
      ]),
    Disagreement("values that are equal elsewhere", [1, 1.0, .float(1), true, "1", 0, 0.0, false]),
    Disagreement("empty values", ["", .data(Data()), [], [:], ["": ""]]),
  ]

  private static let dates: [Disagreement] = [
    // plistlib supports the years 1 to 9999.
    Disagreement(
      "year 10000", [date(252_423_993_600)], beyondPlistlib(reading: "AttributeError")),
    Disagreement("year 0", [date(-63_113_904_001)], beyondPlistlib(reading: "ValueError")),
    Disagreement("year -1", [date(-63_145_526_401)], beyondPlistlib(reading: "AttributeError")),
    Disagreement(
      "year -1234", [date(-102_070_000_000)], beyondPlistlib(reading: "AttributeError")),
    Disagreement(
      "a date at infinity", [date(.infinity)],
      notWrittenAsXML:
        "the date is out of range; expected a year from -200000000 to 200000000 (key path 0)",
      [
        .binaryToPlistlib: .theirError("InvalidFileException"),
        .plistlibToXML: .theirError("OverflowError"),
        .plistlibToBinary: .theirError("OverflowError"),
        // plutil writes 2030437302-06-07T24:60:-2147483648Z.
        .binaryToXML: .ourError(
          "line 5 column 8: the date is malformed; expected YYYY-MM-DDTHH:MM:SSZ (key path 0)"),
      ]),
    // All programs round down in XML; plistlib has microseconds elsewhere.
    Disagreement("a date with three quarters of a second", [date(1.75)], inXML([date(1)])),
    Disagreement(
      "a date before 2001 with three quarters of a second", [date(-1.25)], inXML([date(-2)])),
    Disagreement(
      "a date with a billionth of a second", [date(0x1p-30)],
      inXML([date(0)]).merging([
        .binaryToPlistlib: .becomes([date(0)]), .plistlibToBinary: .becomes([date(0)]),
      ]) { $1 }),
  ]

  private static let numbers: [Disagreement] = [
    Disagreement("-0.0", [-0.0], [.binaryToXML: .becomes([0.0])]),
    Disagreement("-0.0 in four bytes", [.float(-0.0)], [.binaryToXML: .becomes([0.0])]),
    Disagreement(
      // plistlib writes both as one object.
      "both zeros", [0.0, -0.0],
      [.plistlibToBinary: .becomes([0.0, 0.0]), .binaryToXML: .becomes([0.0, 0.0])]),
    Disagreement("not a number", [.real(.nan), .float(.nan)]),
    Disagreement("infinities", [.real(.infinity), .real(-.infinity), .float(-.infinity)]),
    Disagreement(
      "reals of four bytes", [.float(0.1), .float(.pi), .float(.leastNonzeroMagnitude)]),
    // Our XML has the fewest digits, plutil's 17: 0.1 and 0.10000000000000001.
    Disagreement("reals of 17 digits", [0.1, .real(1 / 3), .real(0.1 + 0.2), .real(5e22 / 3)]),
    Disagreement(
      "integers above 2^63-1", [.unsignedInteger(1 << 63), .unsignedInteger(.max)]),
    Disagreement("integers from -2^63", [.integer(.min), .integer(.min + 1)]),
  ]

  private static let texts: [Disagreement] = [
    Disagreement(
      "keys of one composed and one decomposed letter", ["é": 1, "e\u{301}": 2],
      [.xmlToBinary: .becomes(["é": 2]), .binaryToXML: .becomes(["é": 2])]),
    Disagreement("strings of one composed and one decomposed letter", ["é", "e\u{301}"]),
    Disagreement(
      // plistlib writes line feeds; plutil writes bare carriage returns, which we keep.
      "carriage returns", ["a\rb\r\nc\n"],
      [.plistlibToXML: .becomes(["a\nb\nc\n"])]),
    Disagreement(
      // plutil takes it for a byte-order mark at the beginning of a text.
      "U+FEFF at the beginning", ["\u{FEFF}\u{FEFF}a\u{FEFF}": "\u{FEFF}b"],
      [.xmlToBinary: .becomes(["\u{FEFF}a\u{FEFF}": "b"])]),
    // plutil writes control characters unescaped, which our reader accepts.
    Disagreement(
      "a control character", ["a\u{1}"],
      notWrittenAsXML: "XML cannot represent the character U+0001 (key path 0)",
      [.plistlibToXML: .theirError("ValueError")]),
    Disagreement(
      "a control character in a key", ["a\u{1F}": 1],
      notWrittenAsXML: #"XML cannot represent the character U+001F (key path a\u{1f})"#,
      [.plistlibToXML: .theirError("ValueError")]),
    Disagreement(
      "NUL", ["a\u{0}b"],
      notWrittenAsXML: "XML cannot represent the character U+0000 (key path 0)",
      [
        .plistlibToXML: .theirError("ValueError"),
        .binaryToXML: .ourError(notAllowed),
      ]),
    Disagreement(
      "U+FFFE", [.string("a" + String(Unicode.Scalar(0xFFFE as UInt16)!))],
      notWrittenAsXML: "XML cannot represent the character U+FFFE (key path 0)",
      [.plistlibToXML: .ourError(notAllowed), .binaryToXML: .ourError(notAllowed)]),
    Disagreement(
      "U+FFFF", [.string("a" + String(Unicode.Scalar(0xFFFF as UInt16)!))],
      notWrittenAsXML: "XML cannot represent the character U+FFFF (key path 0)",
      [.plistlibToXML: .ourError(notAllowed), .binaryToXML: .ourError(notAllowed)]),
  ]

  private static let notAllowed =
    "line 5 column 11: the character is not allowed in XML here (key path 0)"

  /// A date in seconds from the start of 2001.
  private static func date(_ seconds: Double) -> PlistValue {
    .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  /// The outcomes of a date that plistlib cannot represent.
  private static func beyondPlistlib(reading error: String) -> [Route: Outcome] {
    [
      .xmlToPlistlib: .theirError(error), .binaryToPlistlib: .theirError("InvalidFileException"),
      .plistlibToXML: .theirError("OverflowError"), .plistlibToBinary: .theirError("OverflowError"),
    ]
  }

  /// The outcomes of a value that every program changes in XML.
  private static func inXML(_ value: PlistValue) -> [Route: Outcome] {
    [
      .xmlToPlistlib: .becomes(value), .plistlibToXML: .becomes(value),
      .xmlToBinary: .becomes(value), .binaryToXML: .becomes(value),
    ]
  }
}
