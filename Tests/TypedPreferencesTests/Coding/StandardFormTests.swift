import Foundation
import PropertyList
import Testing

@testable import TypedPreferences

/// Types that a program may store as JSON although they have a standard form.
@Suite("Standard types as JSON")
struct StandardFormTests {
  /// Expects that both coders read a value from both of its forms, and which one each writes.
  private func expect<Value: StandardType & Codable & Equatable>(
    _ value: Value, json: String, standard: PlistValue,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let jsonCoder = PlistCoder<Value>.jsonTextOrStandardForm()
    let standardCoder = PlistCoder<Value>.standardFormOrJSONText()
    #expect(try jsonCoder.encode(value) == .string(json), sourceLocation: sourceLocation)
    #expect(try standardCoder.encode(value) == standard, sourceLocation: sourceLocation)
    for stored in [.string(json), .data(Data(json.utf8)), standard] as [PlistValue] {
      #expect(try jsonCoder.decode(stored) == value, sourceLocation: sourceLocation)
      #expect(try standardCoder.decode(stored) == value, sourceLocation: sourceLocation)
    }
  }

  @Test("Each form is read as the value that was stored")
  func bothForms() throws {
    try expect(
      Decimal(string: "0.12345678901234567")!, json: "0.12345678901234567",
      standard: "0.12345678901234567")
    try expect(
      Locale(identifier: "de_AT"), json: #"{"current":0,"identifier":"de_AT"}"#,
      standard: "de_AT")
    try expect(
      TimeZone(identifier: "Europe/Vienna")!, json: #"{"identifier":"Europe\/Vienna"}"#,
      standard: "Europe/Vienna")
    // Two numbers in both forms: attoseconds in two words, or seconds and attoseconds.
    try expect(
      Duration.seconds(40) + .milliseconds(500), json: "[2,3606511852580896768]",
      standard: [40, 500_000_000_000_000_000])
    let start = Date(timeIntervalSinceReferenceDate: 10)
    try expect(
      DateInterval(start: start, duration: 5), json: #"{"duration":5,"start":10}"#,
      standard: [.date(start), .date(start + 5)])
  }

  @Test("What is stored in neither form is told as the form that was tried first")
  func neither() {
    #expect(throws: ValueConversionError(.wrongKind(expected: "a locale", found: .integer))) {
      try PlistCoder<Locale>.jsonTextOrStandardForm().decode(1)
    }
    #expect(throws: ValueConversionError.self) {
      try PlistCoder<Decimal>.standardFormOrJSONText().decode("x")
    }
  }
}
