import Foundation
import PropertyList
import Testing

/// A value that cannot be decoded as a type, and the error, which is the same on every medium.
struct UndecodableValue: Sendable, CustomTestStringConvertible {
  let error: String
  let decodingError: @Sendable () -> String?

  init<T: Decodable & SendableMetatype>(_ type: T.Type, _ value: PlistValue, _ error: String) {
    self.error = error
    decodingError = { PropertyListTests.decodingError(type, value) }
  }

  var testDescription: String { error }

  static let all = [
    // Values of another kind than their type expects.
    UndecodableValue(Int.self, "a", "mismatch Int [] Expected an integer but found a string."),
    UndecodableValue(
      [Int8].self, [1, true], "mismatch Int8 [Index 1] Expected an integer but found a boolean."),
    UndecodableValue(
      [String: String].self, ["a": 1], "mismatch String [a] Expected a string but found an integer."
    ),
    UndecodableValue(
      [Bool].self, [1], "mismatch Bool [Index 0] Expected a boolean but found an integer."),
    UndecodableValue(
      [Double].self, ["1"], "mismatch Double [Index 0] Expected a real but found a string."),
    UndecodableValue(Float.self, [:], "mismatch Float [] Expected a real but found a dictionary."),
    UndecodableValue(
      [Date].self, [1.5], "mismatch Date [Index 0] Expected a date but found a real."),
    UndecodableValue(
      [Data].self, [[]], "mismatch Data [Index 0] Expected data but found an array."),
    UndecodableValue(
      [UUID].self, [.uid(1)], "mismatch String [Index 0] Expected a string but found a UID."),
    UndecodableValue(
      Holder<Int>.self, .data(Data()),
      "mismatch Dictionary<String, Any> [] Expected a dictionary but found data."),
    UndecodableValue(
      [[Int]].self, [.date(.distantPast)],
      "mismatch Array<Any> [Index 0] Expected an array but found a date."),
    UndecodableValue(
      [URL].self, [1],
      "mismatch Dictionary<String, Any> [Index 0] Expected a dictionary but found an integer."),
    UndecodableValue(
      [PlistDictionary].self, [.set([])],
      "mismatch PlistDictionary [Index 0] Expected a dictionary but found a set."),
    // Values that are missing where a type expects one.
    UndecodableValue(
      [Int].self, [.null], "no value Int [Index 0] Expected an integer but found null."),
    UndecodableValue(
      [[Int]].self, [.null], "no value Array<Any> [Index 0] Expected an array but found null."),
    UndecodableValue(
      [Date].self, [.null], "no value Date [Index 0] Expected a date but found null."),
    UndecodableValue(Holder<Int>.self, [:], "no key value [] The dictionary has no key \"value\"."),
    UndecodableValue(
      [Holder<Date>].self, [["value": .date(.distantPast)], [:]],
      "no key value [Index 1] The dictionary has no key \"value\"."),
    UndecodableValue(
      Holder<Holder<Int>>.self, ["value": [:]],
      "no key value [value] The dictionary has no key \"value\"."),
    UndecodableValue(
      Holder<PlistValue>.self, [:], "no key value [] The dictionary has no key \"value\"."),
    UndecodableValue(
      Dog.self, ["tricks": []],
      "no value Dictionary<String, Any> [super] Expected a dictionary but found null."),
    // Values that their type cannot represent.
    UndecodableValue(Int8.self, 300, "corrupted [] Int8 cannot represent the integer 300 exactly."),
    UndecodableValue(
      [UInt].self, [-1], "corrupted [Index 0] UInt cannot represent the integer -1 exactly."),
    UndecodableValue(
      Holder<Int>.self, ["value": .unsignedInteger(.max)],
      "corrupted [value] Int cannot represent the integer 18446744073709551615 exactly."),
    UndecodableValue(Int.self, 3.5, "corrupted [] Int cannot represent the real 3.5 exactly."),
    UndecodableValue(
      Int.self, .real(.nan), "corrupted [] Int cannot represent the real nan exactly."),
    UndecodableValue(
      Int.self, .float(.infinity), "corrupted [] Int cannot represent the real inf exactly."),
    UndecodableValue(
      UInt8.self, 256.0, "corrupted [] UInt8 cannot represent the real 256.0 exactly."),
    UndecodableValue(
      UInt128.self, -1, "corrupted [] UInt128 cannot represent the integer -1 exactly."),
    UndecodableValue(
      [Double].self, [9_007_199_254_740_993],
      "corrupted [Index 0] Double cannot represent the integer 9007199254740993 exactly."),
    UndecodableValue(
      Float.self, 16_777_217, "corrupted [] Float cannot represent the integer 16777217 exactly."),
    UndecodableValue(Float.self, 1e300, "corrupted [] The real 1e+300 is out of range for Float."),
    UndecodableValue(Float.self, -1e39, "corrupted [] The real -1e+39 is out of range for Float."),
    UndecodableValue([URL].self, ["http://[a"], "corrupted [Index 0] The string is not a URL."),
  ]
}
