extension PlistDictionary: Encodable {
  /// Encodes the entries, which join others of the same encoder.
  ///
  /// - Throws: `EncodingError` where containers are nested deeper than 512 levels with an encoder other
  ///   than ``PlistEncoder``, and whatever that throws.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder { return encoder.take(.dictionary(self)) }
    try encoder.checkDepth(of: self)
    var container = encoder.container(keyedBy: PlistCodingKey.self)
    for (key, value) in self {
      try container.encode(value, forKey: PlistCodingKey(stringValue: key))
    }
  }
}

extension PlistDictionary: Decodable {
  /// Decodes all entries of a dictionary, in its order with ``PlistDecoder``.
  ///
  /// - Throws: `DecodingError` where there is no dictionary and, with another decoder, where containers
  ///   are nested deeper than 512 levels.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      guard decoder.shallow.kind == .dictionary,
        case .dictionary(let dictionary)? = decoder.found?.whole
      else {
        throw DecodingError.mismatch(
          Self.self, expected: .dictionary, found: decoder.shallow, at: decoder.path)
      }
      self = dictionary
      return
    }
    try decoder.checkDepth()
    let container = try decoder.container(keyedBy: PlistCodingKey.self)
    self.init(
      try container.allKeys.map {
        ($0.stringValue, try container.decode(PlistValue.self, forKey: $0))
      })
  }
}
