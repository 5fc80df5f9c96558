internal import FoundationEssentials
public import PropertyList

extension PlistValue {
  /// Converts an untyped value to the value stored for it.
  ///
  /// The exact type decides, then ``PlistValueConvertible``: Foundation's numbers can be cast to
  /// Booleans, but are not Booleans. Dictionaries are sorted by key, and an optional is converted
  /// as its wrapped value.
  ///
  /// - Throws: ``PreferencesError/unsupportedType(_:at:)``,
  ///   ``PreferencesError/unsupportedKeys(_:at:)``, ``PreferencesError/nullValue(at:)``, which
  ///   includes nil, ``PreferencesError/dateIsNaN(at:)``, or
  ///   ``PreferencesError/nestedTooDeeply(limit:at:)`` if the domain would have more than 512
  ///   levels.
  public init(storing value: Any) throws(PreferencesError) {
    try self.init(storing: value, depth: Self.depthLimit)
    try checkStorable()
  }

  private init(storing value: Any, depth: Int) throws(PreferencesError) {
    if let leaf = Self.leaf(value) {
      self = leaf
    } else if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
      self = try PlistValue(storing: hashable.base, depth: depth)
    } else if let container = value as? any PlistContainerConvertible {
      self = try Self.container(container, depth: depth)
    } else if let convertible = value as? any PlistValueConvertible,
      let converted = convertible.plistValue
    {
      self = converted
    } else if let optional = value as? any UntypedOptional {
      guard let wrapped = optional.untypedWrapped else { throw .nullValue(at: PlistKeyPath()) }
      self = try PlistValue(storing: wrapped, depth: depth)
    } else if "\(type(of: value))" == "NSNull" {
      // Foundation's class, which this module does not import.
      throw .nullValue(at: PlistKeyPath())
    } else {
      throw .unsupportedType("\(type(of: value))", at: PlistKeyPath())
    }
  }

  private static func container(
    _ container: any PlistContainerConvertible, depth: Int
  ) throws(PreferencesError) -> PlistValue {
    guard depth > 0 else { throw .tooDeep }
    switch container.untypedElements {
    case .array(let elements)?:
      var values: [PlistValue] = []
      values.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        do throws(PreferencesError) {
          values.append(try PlistValue(storing: element, depth: depth - 1))
        } catch {
          throw error.within(String(index))
        }
      }
      return .array(values)
    case .dictionary(let entries)?:
      return .dictionary(
        try PlistDictionary(entries) { (element) throws(PreferencesError) in
          try PlistValue(storing: element, depth: depth - 1)
        })
    case nil:
      throw .unsupportedKeys("\(type(of: container))", at: PlistKeyPath())
    }
  }

  /// Converts a value of exactly one of these types.
  ///
  /// The typed front ends store the same types by the coder of a key's declared type. Here only the
  /// dynamic type is known, and numbers are stored as NSUserDefaults stores them.
  private static func leaf(_ value: Any) -> PlistValue? {
    // Called only for values of exactly this type, which a conditional cast would not check.
    func cast<Value>(_ type: Value.Type) -> Value { value as! Value }
    func id(_ type: Any.Type) -> ObjectIdentifier { ObjectIdentifier(type) }
    switch ObjectIdentifier(type(of: value)) {
    case id(String.self): return .string(cast(String.self))
    case id(Bool.self): return .boolean(cast(Bool.self))
    case id(Int.self): return .integer(Int64(cast(Int.self)))
    case id(Double.self): return .real(cast(Double.self))
    case id(Float.self): return .float(cast(Float.self))
    case id(Date.self): return .date(cast(Date.self))
    case id(Data.self): return .data(cast(Data.self))
    case id(URL.self): return URLCoding.value(for: cast(URL.self))
    case id(Int8.self): return .integer(Int64(cast(Int8.self)))
    case id(Int16.self): return .integer(Int64(cast(Int16.self)))
    case id(Int32.self): return .integer(Int64(cast(Int32.self)))
    case id(Int64.self): return .integer(cast(Int64.self))
    case id(UInt8.self): return .integer(Int64(cast(UInt8.self)))
    case id(UInt16.self): return .integer(Int64(cast(UInt16.self)))
    case id(UInt32.self): return .integer(Int64(cast(UInt32.self)))
    case id(UInt64.self): return PlistValue(unsigned: cast(UInt64.self))
    // As with NSNumber, to which Foundation bridges decimal numbers.
    case id(Decimal.self): return .real(Double(cast(Decimal.self).description) ?? .nan)
    case id(UInt.self): return PlistValue(unsigned: UInt64(cast(UInt.self)))
    case id(Substring.self): return .string(String(cast(Substring.self)))
    case id(PlistValue.self): return cast(PlistValue.self)
    case id(PlistDictionary.self): return .dictionary(cast(PlistDictionary.self))
    default: return nil
    }
  }

  /// Uses the same case as readers: `unsignedInteger` only above `Int64.max`.
  package init(unsigned number: UInt64) {
    self = Int64(exactly: number).map { .integer($0) } ?? .unsignedInteger(number)
  }

  /// The value as exactly an `Int`, `Double`, `Bool`, `String`, `Date`, `Data`, `[Any]` or
  /// `[String: Any]`; a `Float` if a float was stored, and a `UInt` above `Int.max`.
  ///
  /// A `[String: Any]` has only the last of canonically equivalent keys; `PlistDictionary` keeps
  /// them apart.
  public var anyValue: Any {
    switch self {
    case .dictionary, .array, .set:
      var conversion = AnyConversion()
      return conversion.any(self)
    default: return anyLeaf
    }
  }

  /// Containers and null are returned unchanged.
  fileprivate var anyLeaf: Any {
    switch self {
    case .string(let string): string
    case .integer(let number): Int(number)
    case .unsignedInteger(let number): Int(exactly: number).map { $0 as Any } ?? UInt(number)
    case .real(let number): number
    case .float(let number): number
    case .boolean(let boolean): boolean
    case .date(let date): date
    case .data(let data): data
    case .uid(let uid): ["CF$UID": Int(uid)] as [String: Any]
    case .null, .dictionary, .array, .set: self
    }
  }
}

/// Converts values to untyped ones. Containers that a value shares are converted once and remain
/// shared.
private struct AnyConversion {
  private var converted = ContainerMemo<Any>()

  mutating func any(_ value: PlistValue) -> Any {
    if let known = converted.result(for: value) { return known }
    let result: Any
    switch value {
    case .dictionary(let dictionary): result = any(dictionary)
    case .array(let elements), .set(let elements): result = elements.map { any($0) }
    default: return value.anyLeaf
    }
    converted.insert(result, for: value)
    return result
  }

  mutating func any(_ dictionary: PlistDictionary) -> [String: Any] {
    Dictionary(dictionary.map { ($0.key, any($0.value)) }, uniquingKeysWith: { $1 })
  }
}

extension PlistDictionary {
  init(storing values: [String: Any]) throws(PreferencesError) {
    try self.init(values) { (value) throws(PreferencesError) in try PlistValue(storing: value) }
  }

  /// Converts untyped values, sorted by key.
  fileprivate init(
    _ values: [String: Any], converting: (Any) throws(PreferencesError) -> PlistValue
  ) throws(PreferencesError) {
    self.init()
    reserveCapacity(values.count)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      do throws(PreferencesError) { self[key] = try converting(value) } catch {
        throw error.within(key)
      }
    }
  }

  var anyValues: [String: Any] {
    var conversion = AnyConversion()
    return conversion.any(self)
  }
}

private protocol UntypedOptional {
  var untypedWrapped: Any? { get }
}

extension Optional: UntypedOptional {
  fileprivate var untypedWrapped: Any? { map { $0 } }
}
