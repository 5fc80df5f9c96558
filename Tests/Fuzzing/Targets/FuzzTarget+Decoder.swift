import Foundation
import PropertyList

extension FuzzTarget {
  /// The decoder, which must return the same for a document, read in place if it is binary, as for
  /// its value.
  static let decoder = FuzzTarget(name: "decoder") { data in
    // Every error of a survey has the whole coding path.
    var options = PlistReadOptions.small
    options.limits.maximumDepth = 20
    options.limits.maximumNodeCount = 200
    let decoder = PlistDecoder(options: options)
    let value: PlistValue
    do throws(PlistError) {
      value = try Plist.read(data, options: options).value
    } catch {
      let decoded = try? decoder.decode(PlistValue.self, from: data)
      return try expect(decoded == nil, "the decoder accepts what the reader refuses: \(error)")
    }
    let decoded = try decoder.decode(PlistValue.self, from: data)
    try expect(decoded == value, "the decoder reads another value")

    let found = try decoder.decode(Survey.self, from: data).lines
    let expected = try decoder.decode(Survey.self, from: value).lines
    if let (found, expected) = zip(found, expected).first(where: { $0 != $1 }) {
      throw Finding(description: "the document has <\(found)>, its value <\(expected)>")
    }
    try expect(found.count == expected.count, "\(found.count) and \(expected.count) lines")

    try checkRoundTrip(of: Sample.self, by: decoder, from: data, value)
    try checkRoundTrip(of: [String: Sample].self, by: decoder, from: data, value)
    try checkRoundTrip(of: [Sample].self, by: decoder, from: data, value)
    try checkRoundTrip(of: Variant.self, by: decoder, from: data, value)
    try checkRoundTrip(of: [Int: [Double?]].self, by: decoder, from: data, value)
  }

  /// Checks that a type is decoded from the document as from its value, and that it can be encoded
  /// and decoded again.
  private static func checkRoundTrip<T: Codable & Sendable>(
    of type: T.Type, by decoder: PlistDecoder, from data: Data, _ value: PlistValue
  ) throws {
    let decoded = Result { try decoder.decode(type, from: data) }
    let expected = Result { try decoder.decode(type, from: value) }
    switch (decoded, expected) {
    case (.success(let decoded), .success(let expected)):
      let encoder = PlistEncoder()
      let first = try encoder.encodeToValue(decoded)
      try expect(try encoder.encodeToValue(expected) == first, "\(type) has other values in place")
      let again = try PlistDecoder().decode(type, from: try encoder.encode(decoded))
      try expect(try encoder.encodeToValue(again) == first, "\(type) changes when encoded")
    case (.failure(let error), .failure(let expected)):
      try expect("\(error)" == "\(expected)", "\(type): <\(error)>, not <\(expected)>")
    default:
      throw Finding(description: "\(type) is decoded in one way only: \(decoded), \(expected)")
    }
  }
}

/// Values of many types.
private struct Sample: Codable, Sendable {
  var boolean: Bool?
  var string: String?
  var number: Int?
  var byte: Int8?
  var natural: UInt64?
  var double: Double?
  var float: Float?
  var date: Date?
  var data: Data?
  var url: URL?
  var uuid: UUID?
  var decimal: Decimal?
  var list: [Sample]?
  var table: [String: Int]?
}

/// An enumeration, which is a dictionary of one key.
private indirect enum Variant: Codable, Sendable {
  case nothing
  case circle(radius: Double, label: String?)
  case pair(Variant, Variant)
}

/// The answers of every method of a decoder, for a value and all within it.
private struct Survey: Decodable {
  private(set) var lines: [String] = []

  init(from decoder: any Decoder) throws {
    lines.append("path \(decoder.codingPath.map(\.stringValue))")
    do {
      try survey(try decoder.singleValueContainer())
    } catch { lines.append("no single value: \(error)") }
    do {
      try survey(try decoder.container(keyedBy: Key.self))
    } catch { lines.append("no keys: \(error)") }
    do {
      var container = try decoder.unkeyedContainer()
      try survey(&container)
    } catch { lines.append("no elements: \(error)") }
  }

  private mutating func survey(_ container: any SingleValueDecodingContainer) throws {
    lines.append("nil \(container.decodeNil())")
    add { try container.decode(Bool.self) }
    add { try container.decode(String.self) }
    add { try container.decode(Int8.self) }
    add { try container.decode(UInt16.self) }
    add { try container.decode(Int64.self) }
    add { try container.decode(UInt64.self) }
    add { try container.decode(Int128.self) }
    add { try container.decode(Double.self) }
    add { try container.decode(Float.self) }
    add { try container.decode(Date.self).timeIntervalSinceReferenceDate }
    add { try container.decode(Data.self).base64EncodedString() }
    add { try container.decode(URL.self) }
    add { try container.decode(UUID.self) }
    add { try container.decode(Decimal.self) }
  }

  private mutating func survey(_ container: KeyedDecodingContainer<Key>) throws {
    let keys = container.allKeys
    lines.append("keys \(keys.map(\.stringValue))")
    lines.append("missing \(container.contains(Key("no such key")))")
    add { try container.decodeNil(forKey: Key("no such key")) }
    add { try container.superDecoder().codingPath.map(\.stringValue) }
    for key in keys {
      lines.append("contains \(container.contains(key))")
      add { try container.decodeNil(forKey: key) }
      add { try container.decodeIfPresent(Int.self, forKey: key) }
      add { try container.nestedContainer(keyedBy: Key.self, forKey: key).allKeys.count }
      add { try container.nestedUnkeyedContainer(forKey: key).count }
      lines += try container.decode(Survey.self, forKey: key).lines
    }
  }

  private mutating func survey(_ container: inout any UnkeyedDecodingContainer) throws {
    lines.append("count \(container.count ?? -1)")
    while !container.isAtEnd {
      lines.append("index \(container.currentIndex)")
      // A failed call must not advance to the next element.
      add { try container.decodeNil() }
      add { try container.decode(Never.self) }
      guard !container.isAtEnd else { break }
      lines += try container.decode(Survey.self).lines
    }
    add { try container.decode(Int.self) }
    add { try container.nestedUnkeyedContainer().count }
  }

  private mutating func add(_ value: () throws -> some Any) {
    do { lines.append("\(try value())") } catch { lines.append("\(error)") }
  }

  /// A key of any text.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ text: String) { stringValue = text }

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) { stringValue = String(intValue) }
  }
}
