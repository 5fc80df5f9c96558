import Foundation
import PropertyList

/// The properties of the formats that suites over all of them need.
extension PlistFormat {
  /// The options that let the format support as many types as possible.
  var readOptions: PlistReadOptions { .with { $0.allowsTypedValues = true } }

  /// The options that let the format support as many types as possible.
  var writeOptions: PlistWriteOptions { .with { $0.writesTypedValues = true } }

  /// A document of nested empty arrays.
  func nested(_ depth: Int) -> Data {
    switch self {
    case .xml: HostileInputTests.nestedXML(depth)
    case .binary: HostileInputTests.nestedBinary(depth)
    case .openStep: HostileInputTests.nestedText("(", ")", depth)
    case .json: HostileInputTests.nestedText("[", "]", depth)
    }
  }

  /// The location of the first array that is nested too deep in that document.
  var placeTooDeep: String {
    switch self {
    case .xml: "line 1 column \(7 + 512 * 7 + 1)"
    case .binary: "byte \(8 + 512 * 5)"
    case .openStep, .json: "line 1 column 513"
    }
  }

  /// The number of bytes at the end of a document that can be removed without making it invalid.
  var spareBytes: Int {
    switch self {
    case .xml, .openStep: 1
    case .binary, .json: 0
    }
  }

  /// A value with every type that the format supports.
  var golden: PlistValue {
    var golden: PlistDictionary = [
      "array": [1, -2, 3.5, true, .unsignedInteger(.max)], "é": "grüße 😀",
      "nested": ["empty": [:], "again": ["x": "<&>\"\\/\n"]],
      "long": "a string of more than fifteen characters",
    ]
    if self != .json {
      golden["data"] = .data(Data(0..<40))
      golden["date"] = .time(700_000_000)
    }
    if self == .xml || self == .binary { golden["uid"] = .uid(7) }
    if self == .binary || self == .json { golden["null"] = .null }
    return .dictionary(golden)
  }

  /// A document of a text format with every construct once, as the writer would not lay it out.
  var text: String {
    switch self {
    case .openStep:
      #"""
      // comment
      {
        word = a/b; 'single' = "double \n \U00e9 \Ud83d\Ude00 \341";
        "k"; /* comment */ list = (1, <0fbd 77>, (), {},);
        "é" = x;
      }
      """#
    case .json:
      #"""
      {
        "a" : "double \n \u00e9 \ud83d\ude00 \/", "b": [ 1, -2.5e+3, {}, [ ] ],
        "é": { "": true, "n": null }, "f": false , "long": "a string of more than fifteen 日"
      }
      """#
    case .xml, .binary: ""
    }
  }

  /// The format that is detected for a value's document: this one, except that OpenStep text and
  /// JSON look alike without a key or an element.
  func detected(for value: PlistValue) -> PlistFormat {
    switch (self, value) {
    case (.openStep, .dictionary(let dictionary)) where dictionary.isEmpty: .json
    case (.json, .dictionary), (.json, .array): .json
    case (.json, _): .openStep
    default: self
    }
  }

  /// The error of the first value, in the order of writing, that JSON or OpenStep text with typed
  /// values cannot represent; nil if there is none.
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
      return "JSON cannot represent infinity or NaN" + place
    case .float(let number) where self == .json && !number.isFinite:
      return "JSON cannot represent infinity or NaN" + place
    case .date(let date)
    where self == .openStep && date.timeIntervalSinceReferenceDate.magnitude >= 1e16:
      return "the date is out of range; expected a year from -200000000 to 200000000" + place
    case .date where self == .json, .data where self == .json, .null where self == .openStep,
      .uid, .set:
      return (self == .json ? "JSON" : "OpenStep text") + " cannot represent \(value.kind.plural)"
        + place
    default:
      return nil
    }
  }
}
