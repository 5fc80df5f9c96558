internal import FoundationEssentials
package import PropertyList

/// Property lists as JSON. Every value keeps its type.
///
/// A value that JSON has no type for, or that JSON tools would change, is a dictionary with one
/// key:
///
/// | value | in JSON |
/// |---|---|
/// | date | `{"$date": "2024-01-31T23:59:59Z"}`, or the seconds since 2001 as a number |
/// | data | `{"$data": "AQID"}`, in base64 |
/// | integer beyond 2^53 | `{"$integer": "9223372036854775807"}` |
/// | real without a fraction, infinity or NaN | `{"$real": "1.0"}` |
/// | UID | `{"$uid": 5}` |
/// | set | `{"$set": [1, 2]}` |
/// | dictionary with one key that begins with `$` | `{"$dictionary": {"$date": "x"}}` |
///
/// Null, booleans, strings, arrays, other dictionaries and numbers are unchanged.
package enum TypedJSON {
  /// Programs that read numbers as doubles preserve integers up to this magnitude.
  private static let largestInteger: Int64 = 1 << 53

  /// Returns the value that is written as JSON.
  package static func encode(_ value: PlistValue) -> PlistValue {
    switch value {
    case .dictionary(let dictionary):
      let encoded = PlistValue.dictionary(
        PlistDictionary(dictionary.map { ($0.key, encode($0.value)) }))
      return isAmbiguous(dictionary) ? ["$dictionary": encoded] : encoded
    case .array(let elements): return .array(elements.map(encode))
    case .set(let elements): return ["$set": .array(elements.map(encode))]
    case .integer(let number) where number.magnitude > UInt64(largestInteger):
      return ["$integer": .string(String(number))]
    case .unsignedInteger(let number) where number > UInt64(largestInteger):
      return ["$integer": .string(String(number))]
    case .real(let number): return encode(number, as: value)
    case .float(let number): return encode(Double(number), as: .real(Double(number)))
    case .date(let date):
      // The text represents only whole seconds.
      let seconds = date.timeIntervalSinceReferenceDate
      guard seconds.rounded(.down) == seconds, let text = date.propertyListText else {
        return ["$date": encode(seconds, as: .real(seconds))]
      }
      return ["$date": .string(text)]
    case .data(let data): return ["$data": .string(data.base64EncodedString())]
    case .uid(let number): return ["$uid": .integer(Int64(number))]
    case .string, .integer, .unsignedInteger, .boolean, .null: return value
    }
  }

  private static func encode(_ number: Double, as value: PlistValue) -> PlistValue {
    guard number.isFinite, number != number.rounded(.towardZero) else {
      return ["$real": .string(number.description)]
    }
    return value
  }

  /// Whether a dictionary looks like one that represents another value.
  private static func isAmbiguous(_ dictionary: PlistDictionary) -> Bool {
    dictionary.count == 1 && dictionary.keys.first?.utf8.first == UInt8(ascii: "$")
  }

  /// A dictionary with one of these keys that does not represent a value.
  package struct Malformed: Error, CustomStringConvertible {
    let key: String

    package var description: String {
      "the value of \(key.onOneLine) is malformed; expected what -convert json --typed writes"
    }
  }

  /// Returns the value that JSON represents.
  package static func decode(_ value: PlistValue) throws(Malformed) -> PlistValue {
    switch value {
    case .dictionary(let dictionary):
      if isAmbiguous(dictionary), let entry = dictionary.first {
        return try decode(entry.key, entry.value)
      }
      return .dictionary(try decode(dictionary))
    case .array(let elements): return .array(try elements.map(decode))
    default: return value
    }
  }

  private static func decode(_ dictionary: PlistDictionary) throws(Malformed) -> PlistDictionary {
    var decoded = PlistDictionary()
    decoded.reserveCapacity(dictionary.count)
    for (key, value) in dictionary { decoded[key] = try decode(value) }
    return decoded
  }

  private static func decode(_ key: String, _ value: PlistValue) throws(Malformed) -> PlistValue {
    switch (key, value) {
    case ("$dictionary", .dictionary(let members)): return .dictionary(try decode(members))
    case ("$set", .array(let elements)): return .set(try elements.map(decode))
    case ("$integer", .string(let text)):
      if let number = try? PlistValue(integerText: text) { return number }
    case ("$real", .string(let text)):
      if let number = Double(text) { return .real(number) }
    case ("$real", .integer(let number)): return .real(Double(number))
    case ("$real", .real): return value
    case ("$date", .string(let text)):
      if let date = try? PlistValue(dateText: text) { return date }
    case ("$date", _):
      let seconds = try decode(value)
      switch seconds {
      case .real(let seconds) where seconds.isFinite:
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
      case .integer(let seconds):
        return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
      default: break
      }
    case ("$data", .string(let text)):
      if let data = Data(base64Encoded: text) { return .data(data) }
    case ("$uid", .integer(let number)):
      if let uid = UInt32(exactly: number) { return .uid(uid) }
    default: break
    }
    throw Malformed(key: key)
  }
}
