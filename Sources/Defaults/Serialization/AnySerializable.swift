public import Preferences
public import PropertyList
internal import TypedPreferences

extension Defaults {
  /// A value of any type that can be stored, for collections of values of different types.
  ///
  /// It holds the stored form of the value, and the caller of ``get()`` chooses the type.
  ///
  /// ```swift
  /// extension Defaults.Keys {
  ///   static let settings = Key<[String: Defaults.AnySerializable]>("settings", default: [:])
  /// }
  ///
  /// Defaults[.settings]["theme"] = "dark"
  /// let theme: String? = Defaults[.settings]["theme"]?.get()
  /// ```
  public struct AnySerializable: Serializable, Hashable, Sendable {
    private enum Content: Hashable {
      case nothing
      case stored(PlistValue)
      /// A value that cannot be stored; the error is thrown when it is encoded.
      case unstorable(ValueConversionError)

      init(_ encode: () throws(ValueConversionError) -> PlistValue?) {
        do throws(ValueConversionError) {
          self = try encode().map { .stored($0) } ?? .nothing
        } catch {
          self = .unstorable(error)
        }
      }
    }

    private var content: Content

    /// Creates a value of a type.
    ///
    /// If the value cannot be stored, storing this value fails.
    public init<Value: Serializable>(_ value: Value) {
      content = Content { () throws(ValueConversionError) in
        try PlistCoder<Value>.serializable().encode(value)
      }
    }

    /// Creates a value of a dynamic type.
    init(untyped value: Any) {
      if let value = value as? any Serializable {
        self.init(value)
      } else {
        self.init(
          content: Content { () throws(ValueConversionError) in try PlistValue(untyped: value) })
      }
    }

    private init(content: Content) { self.content = content }

    /// Returns the value as the inferred type; nil if it has another type.
    public func get<Value: Serializable>() -> Value? {
      get(Value.self)
    }

    /// Returns the value as a type; nil if it has another type.
    public func get<Value: Serializable>(_ type: Value.Type) -> Value? {
      guard case .stored(let plist) = content else { return nil }
      return try? PlistCoder<Value>.serializable().decode(plist)
    }

    /// Replaces the value.
    public mutating func set<Value: Serializable>(_ newValue: Value) {
      self = AnySerializable(newValue)
    }

    /// Replaces the value.
    public mutating func set<Value: Serializable>(_ newValue: Value, type: Value.Type) {
      self = AnySerializable(newValue)
    }

    /// Stores the value in its own form.
    public static let bridge = AnyBridge()

    static var plistCoder: PlistCoder<AnySerializable> {
      PlistCoder { value throws(ValueConversionError) in
        switch value.content {
        case .nothing: return nil
        case .stored(let plist): return plist
        case .unstorable(let error): throw error
        }
      } decode: { plist in
        var value: AnySerializable = nil
        if plist != .storedNil { value.content = .stored(plist) }
        return value
      }
    }
  }
}

extension Defaults.AnySerializable: PlistValueConvertible {
  /// The stored form of the value within a container; nil if it cannot be stored.
  public var plistValue: PlistValue? {
    switch content {
    case .nothing: .storedNil
    case .stored(let plist): plist
    case .unstorable: nil
    }
  }
}

extension Defaults.AnySerializable: ExpressibleByNilLiteral {
  /// Creates no value.
  public init(nilLiteral: ()) {
    content = .nothing
  }
}

extension Defaults.AnySerializable: _DefaultsOptionalProtocol {
  /// Whether there is no value.
  public var _defaults_isNil: Bool { self == nil }
}

extension Defaults.AnySerializable: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self.init(value) }
}

extension Defaults.AnySerializable: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension Defaults.AnySerializable: ExpressibleByFloatLiteral {
  /// Creates a real.
  public init(floatLiteral value: Double) { self.init(value) }
}

extension Defaults.AnySerializable: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension Defaults.AnySerializable: ExpressibleByArrayLiteral {
  /// Creates an array of any values that can be stored.
  public init(arrayLiteral elements: Any...) {
    self.init(untyped: elements.map { Defaults.AnySerializable(untyped: $0) })
  }
}

extension Defaults.AnySerializable: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary of any values that can be stored, with the descriptions of the keys. Keys
  /// must be strings or other `LosslessStringConvertible` types. Of equal keys, the last wins.
  public init(dictionaryLiteral elements: (AnyHashable, Any)...) {
    var entries: [String: Defaults.AnySerializable] = [:]
    for (key, value) in elements {
      guard let key = key.base as? any LosslessStringConvertible else {
        self.init(content: .unstorable(.unstorable(type(of: key.base))))
        return
      }
      entries[key.description] = Defaults.AnySerializable(untyped: value)
    }
    self.init(untyped: entries)
  }
}

extension Defaults {
  /// The bridge of ``AnySerializable``, whose values are stored in their own form.
  public struct AnyBridge: DerivedBridge {
    /// A value of any type.
    public typealias Value = AnySerializable
    /// Its stored form.
    public typealias Serializable = Any

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<AnySerializable> { AnySerializable.plistCoder }

    // Not derived: the object may be a value that has a bridge itself.
    /// Returns a value of a dynamic type.
    public func deserialize(_ object: Any?) -> AnySerializable? {
      object.map { AnySerializable(untyped: $0) }
    }
  }
}
