/// A number of 64 bits, which etcd's gateway writes as a string.
struct GatewayNumber: Sendable, Hashable, Codable, ExpressibleByIntegerLiteral {
  var value: Int64

  init(_ value: Int64) { self.value = value }

  init(integerLiteral value: Int64) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      guard let value = Int64(text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
      }
      self.value = value
    } else {
      value = try container.decode(Int64.self)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(value))
  }
}

/// A revision in an answer, which leaves room for the next one.
struct GatewayRevision: Sendable, Hashable, Decodable {
  var value: Int64

  init(from decoder: any Decoder) throws {
    value = try GatewayNumber(from: decoder).value
    guard 0..<Int64.max ~= value else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no revision"))
    }
  }
}
