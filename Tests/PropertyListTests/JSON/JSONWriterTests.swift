import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("JSON is written")
struct JSONWriterTests {
  private func text(
    _ value: PlistValue, options: PlistWriteOptions = PlistWriteOptions()
  ) throws -> String {
    String(decoding: try Plist.write(value, as: .json, options: options), as: UTF8.self)
  }

  private static let sample: PlistValue = [
    "url": "http://a/b", "n": 5, "none": .null, "b": true, "ea": [], "ed": [:],
    "l": [1, [], ["a": "x\ty"]], "r": 42.0,
  ]

  @Test("It has no white space, and keys are sorted by their UTF-16 code units")
  func compact() throws {
    #expect(
      try text(Self.sample)
        == #"{"b":true,"ea":[],"ed":{},"l":[1,[],{"a":"x\ty"}],"n":5,"none":null,"r":42.0,"#
        + #""url":"http:\/\/a\/b"}"#)
    #expect(
      try text(["\u{FF5E}": 1, "\u{10000}": 2, "é": 3, "": 4, "e": 5])
        == "{\"\":4,\"e\":5,\"é\":3,\"\u{10000}\":2,\"\u{FF5E}\":1}")
  }

  @Test("On request it is laid out as Apple's plutil does with -r")
  func indented() throws {
    let options = PlistWriteOptions.with { $0.isPrettyPrinted = true }
    #expect(
      try text(Self.sample, options: options) == #"""
        {
          "b" : true,
          "ea" : [

          ],
          "ed" : {

          },
          "l" : [
            1,
            [

            ],
            {
              "a" : "x\ty"
            }
          ],
          "n" : 5,
          "none" : null,
          "r" : 42.0,
          "url" : "http:\/\/a\/b"
        }
        """#)
    #expect(try text("a", options: options) == "\"a\"")
    #expect(try text([], options: options) == "[\n\n]")
  }

  @Test(
    "Numbers are exact, and reals have a point or an exponent",
    arguments: [
      (0, "0"), (.integer(.min), "-9223372036854775808"),
      (.unsignedInteger(.max), "18446744073709551615"), (42.0, "42.0"), (-0.0, "-0.0"),
      (0.0, "0.0"), (0.1, "0.1"), (1e16, "10000000000000000.0"), (1e17, "1e+17"), (1e22, "1e+22"),
      (1e-7, "1e-07"), (.real(.leastNonzeroMagnitude), "5e-324"), (-1.5, "-1.5"),
      (.float(0.5), "0.5"),
      (.float(16), "16.0"),
    ] as [(PlistValue, String)])
  func numbers(value: PlistValue, expected: String) throws {
    #expect(try text(value) == expected)
    #expect(try read(expected, as: .json).value == value)
  }

  @Test("Quotes, backslashes, slashes and control characters are escaped, and nothing else")
  func escapes() throws {
    #expect(
      try text("\"\\/\u{8}\u{9}\u{A}\u{B}\u{C}\u{D}\0\u{1}\u{F}\u{10}\u{1F} '\u{7F}é日😀\u{2028}")
        == #""\"\\\/\b\t\n\u000b\f\r\u0000\u0001\u000f\u0010\u001f '"#
        + "\u{7F}é日😀\u{2028}\"")
  }

  @Test("What has to be escaped is found at every place of a string", arguments: 0...20)
  func escapePlaces(length: Int) throws {
    let before = String(repeating: "x", count: length)
    for (character, escape) in [("\"", #"\""#), ("\n", #"\n"#), ("/", #"\/"#), ("\0", #"\u0000"#)] {
      for behind in ["", "y", "é and more than eight"] {
        let string = before + character + behind
        #expect(try text(.string(string)) == "\"\(before)\(escape)\(behind)\"")
        #expect(
          try text([string: 1])
            == "{\"\(before)\(escape)\(behind)\":1}")
      }
    }
  }

  // MARK: What does not fit

  private static let date = Date(timeIntervalSinceReferenceDate: 725_760_000)

  @Test(
    "What JSON cannot hold is refused with its key path",
    arguments: [
      (.date(date), "JSON cannot represent dates"),
      (.data(Data([1])), "JSON cannot represent data"),
      (.uid(1), "JSON cannot represent UIDs"), (.set([]), "JSON cannot represent sets"),
      (.real(.nan), "JSON cannot represent infinity or NaN"),
      (.real(.infinity), "JSON cannot represent infinity or NaN"),
      (.float(-.infinity), "JSON cannot represent infinity or NaN"),
    ] as [(PlistValue, String)])
  func refusals(value: PlistValue, error: String) {
    #expect(writeError(["a": ["b.c": [1, value]]], as: .json) == error + #" (key path a.b\.c.1)"#)
  }

  @Test("Under the lossy option dates and data are strings, and nothing else")
  func lossy() throws {
    let options = PlistWriteOptions.with { $0.allowsLossyConversion = true }
    #expect(
      try text(["date": .date(Self.date), "data": .data(Data([0xFB, 0xFF]))], options: options)
        == #"{"data":"+\/8=","date":"2024-01-01T00:00:00Z"}"#)
    for value in [.uid(1), .set([])] as [PlistValue] {
      #expect(
        writeError([value], as: .json, options: options)
          == "JSON cannot represent \(value.kind.plural) (key path 0)")
    }
    #expect(
      writeError([.real(.nan)], as: .json, options: options)
        == "JSON cannot represent infinity or NaN (key path 0)")
    #expect(
      writeError([.time(.nan)], as: .json, options: options)
        == "the date is NaN; expected a point in time (key path 0)")
    #expect(
      writeError([.date(.distantFuture + 1e18)], as: .json, options: options)
        == "the date is out of range; expected a year from -200000000 to 200000000 (key path 0)")
  }

  @Test("Under the lossy option fractions of seconds are cut off, or refused as inexact")
  func lossyFractions() throws {
    var options = PlistWriteOptions.with { $0.allowsLossyConversion = true }
    let value: PlistValue = [.date(Self.date - 0.25)]
    #expect(try text(value, options: options) == #"["2023-12-31T23:59:59Z"]"#)
    options.rejectsFractionalSeconds = true
    #expect(
      writeError(value, as: .json, options: options)
        == "JSON cannot represent fractions of a second (key path 0)")
  }
}
