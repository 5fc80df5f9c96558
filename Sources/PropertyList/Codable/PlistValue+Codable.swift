internal import FoundationEssentials

extension PlistValue: Encodable {
  /// Encodes the value as what it is with a ``PlistEncoder``.
  ///
  /// Other encoders are given a UID as a dictionary with the one key `CF$UID`, a set as an array, and
  /// null as nil.
  ///
  /// - Throws: `EncodingError` where containers are nested deeper than 512 levels with another encoder,
  ///   and whatever that throws.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder { return encoder.take(self) }
    switch self {
    case .dictionary(let dictionary):
      try dictionary.encode(to: encoder)
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
  /// Decodes the value as it is with a ``PlistDecoder``.
  ///
  /// Of other decoders come dictionaries, arrays, strings, numbers, booleans, null, and UIDs for
  /// dictionaries with the one key `CF$UID`.
  ///
  /// - Throws: `DecodingError` for a value of no such kind and, with another decoder, where containers
  ///   are nested deeper than 512 levels.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      guard let found = decoder.found else {
        throw DecodingError.nothing(Self.self, at: decoder.path)
      }
      self = found.whole
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
      if dictionary.count == 1,
        case .integer(let number)? = dictionary[PlistCodingKey.uid.stringValue],
        let uid = UInt32(exactly: number)
      {
        self = .uid(uid)
      } else {
        self = .dictionary(dictionary)
      }
    }
  }

  /// The value where it is no container: the first kind that the decoder agrees to.
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
