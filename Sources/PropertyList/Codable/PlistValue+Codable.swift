internal import FoundationEssentials

extension PlistValue: Encodable {
  /// Encodes the value. ``PlistEncoder`` stores it unchanged.
  ///
  /// With other encoders, a UID becomes a dictionary with the single key `CF$UID`, a set becomes an
  /// array, and null becomes nil.
  ///
  /// - Throws: Any error of the encoder, and `EncodingError` if containers are nested deeper than
  ///   512 levels with an encoder other than ``PlistEncoder``.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder { return encoder.merge(self) }
    switch self {
    case .dictionary(let dictionary): try dictionary.encode(to: encoder)
    case .array(let elements), .set(let elements):
      try encoder.checkDepth(of: self)
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .uid(let uid):
      var container = encoder.container(keyedBy: PlistCodingKey.self)
      try container.encode(uid, forKey: .uid)
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .string(let string): try container.encode(string)
      case .integer(let number): try container.encode(number)
      case .unsignedInteger(let number): try container.encode(number)
      case .real(let number): try container.encode(number)
      case .float(let number): try container.encode(number)
      case .boolean(let boolean): try container.encode(boolean)
      case .date(let date): try container.encode(date)
      case .data(let data): try container.encode(data)
      case .dictionary, .array, .set, .uid, .null: try container.encodeNil()
      }
    }
  }
}

extension PlistValue: Decodable {
  /// Decodes a value. ``PlistDecoder`` gives values of any kind.
  ///
  /// Other decoders give dictionaries, arrays, strings, numbers, booleans, null, and a UID for a
  /// dictionary with the single key `CF$UID`.
  ///
  /// - Throws: `DecodingError` if the value is not of one of these kinds or, with a decoder other
  ///   than ``PlistDecoder``, if containers are nested deeper than 512 levels.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      guard let value = decoder.value else {
        throw DecodingError.noValue(Self.self, at: decoder.path)
      }
      self = value
      return
    }
    try decoder.checkDepth()
    if let scalar = try? PlistValue(scalarFrom: decoder) {
      self = scalar
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [PlistValue] = []
      while !container.isAtEnd { elements.append(try container.decode(PlistValue.self)) }
      self = .array(elements)
    } else {
      let dictionary = try PlistDictionary(from: decoder)
      self = dictionary.uid.map { .uid($0) } ?? .dictionary(dictionary)
    }
  }

  /// Decodes a value other than a container as the first kind that the decoder accepts.
  private init(scalarFrom decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let boolean = try? container.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else if let number = try? container.decode(UInt64.self) {
      self = .unsignedInteger(number)
    } else if let number = try? container.decode(Double.self) {
      self = .real(number)
    } else {
      self = .string(try container.decode(String.self))
    }
  }
}

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
      guard case .dictionary(let dictionary)? = decoder.value else {
        throw DecodingError.mismatch(
          Self.self, expected: .dictionary, found: decoder.presentValue, at: decoder.path)
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
