import Foundation
import PropertyList

/// What a suite that runs over every format has to know of each.
extension PlistFormat {
  /// The options under which the format holds as many types as it can.
  var readOptions: PlistReadOptions {
    var options = PlistReadOptions()
    options.allowsTypedValues = true
    return options
  }

  /// The options under which the format holds as many types as it can.
  var writeOptions: PlistWriteOptions {
    var options = PlistWriteOptions()
    options.writesTypedValues = true
    return options
  }

  /// A document of nothing but arrays within each other.
  func nested(_ depth: Int) -> Data {
    switch self {
    case .xml: HostileInputTests.nestedXML(depth)
    case .binary: HostileInputTests.nestedBinary(depth)
    case .openStep: HostileInputTests.nestedText("(", ")", depth)
    case .json: HostileInputTests.nestedText("[", "]", depth)
    }
  }

  /// The place of the first array too many in that document.
  var placeTooDeep: String {
    switch self {
    case .xml: "line 1 column \(7 + 512 * 7 + 1)"
    case .binary: "byte \(8 + 512 * 5)"
    case .openStep, .json: "line 1 column 513"
    }
  }

  /// Bytes at the end of a document that is as good without them.
  var spareBytes: Int {
    switch self {
    case .xml, .openStep: 1
    case .binary, .json: 0
    }
  }

  /// A value of every type that the format holds.
  var golden: PlistValue {
    var golden: PlistDictionary = [
      "array": [1, -2, 3.5, true, .unsignedInteger(.max)], "é": "grüße 😀",
      "nested": ["empty": [:], "again": ["x": "<&>\"\\/\n"]],
      "long": "a string of more than fifteen characters",
    ]
    if self != .json {
      golden["data"] = .data(Data(0..<40))
      golden["date"] = .date(Date(timeIntervalSinceReferenceDate: 700_000_000))
    }
    if self == .xml || self == .binary { golden["uid"] = .uid(7) }
    if self == .binary || self == .json { golden["null"] = .null }
    return .dictionary(golden)
  }

  /// The format that the leading bytes of a value's document speak of: this one, but that OpenStep
  /// text and JSON look alike where there is no value behind a bracket.
  func detected(for value: PlistValue) -> PlistFormat {
    switch (self, value) {
    case (.openStep, .dictionary(let dictionary)) where dictionary.isEmpty: .json
    case (.json, .dictionary), (.json, .array): .json
    case (.json, _): .openStep
    default: self
    }
  }

  /// The error of the first value, in the order of writing, that JSON, or OpenStep text with typed
  /// values, cannot hold; nil where it holds all.
  func refusal(of value: PlistValue, at path: [String] = []) -> String? {
    let place = path.isEmpty ? "" : " (key path \(PlistKeyPath(components: path)))"
    switch value {
    case .dictionary(let dictionary):
      let keys = dictionary.keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
      return keys.lazy.compactMap { refusal(of: dictionary[$0]!, at: path + [$0]) }.first
    case .array(let elements):
      return elements.enumerated().lazy
        .compactMap { refusal(of: $0.element, at: path + [String($0.offset)]) }.first
    case .real(let number) where self == .json && !number.isFinite:
      return "JSON cannot hold infinity or NaN" + place
    case .float(let number) where self == .json && !number.isFinite:
      return "JSON cannot hold infinity or NaN" + place
    case .date(let date)
    where self == .openStep && date.timeIntervalSinceReferenceDate.magnitude >= 1e16:
      return "the date is out of range; expected a year from -200000000 to 200000000" + place
    case .date where self == .json, .data where self == .json, .null where self == .openStep,
      .uid, .set:
      return (self == .json ? "JSON" : "OpenStep text") + " cannot hold a \(value.kind)" + place
    default:
      return nil
    }
  }
}
