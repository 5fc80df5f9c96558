extension PlistDictionary: Encodable {
  /// Encodes the entries into a keyed container, along with entries that are already there.
  ///
  /// - Throws: Any error of the encoder, and `EncodingError` if containers are nested deeper than
  ///   512 levels with an encoder other than ``PlistEncoder``.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder { return encoder.merge(.dictionary(self)) }
    try encoder.checkDepth(of: self)
    var container = encoder.container(keyedBy: PlistCodingKey.self)
    for (key, value) in self {
      try container.encode(value, forKey: PlistCodingKey(stringValue: key))
    }
  }
}

extension PlistDictionary: Decodable {
  /// Decodes all entries of a dictionary; ``PlistDecoder`` preserves their order.
  ///
  /// - Throws: `DecodingError` if the value is not a dictionary or, with a decoder other than
  ///   ``PlistDecoder``, if containers are nested deeper than 512 levels.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      guard decoder.shallowValue.kind == .dictionary,
        case .dictionary(let dictionary)? = decoder.input?.fullValue()
      else {
        throw DecodingError.mismatch(
          Self.self, expected: .dictionary, found: decoder.shallowValue, at: decoder.path)
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
