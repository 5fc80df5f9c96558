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
    }

    private var content: Content

    /// Creates a value of a type.
    ///
    /// If the value cannot be stored, storing this one fails.
    public init<Value: Serializable>(_ value: Value) {
      do throws(ValueConversionError) {
        content = try PlistCoder<Value>.serializable().encode(value).map { .stored($0) } ?? .nothing
      } catch {
        content = .unstorable(error)
      }
    }

    /// Creates a value of a dynamic type.
    init(untyped value: Any) {
      if let value = value as? any Serializable {
        self.init(value)
      } else {
        self.init(unknown: value)
      }
    }

    /// Creates a value that cannot be stored.
    init(unstorable error: ValueConversionError) {
      content = .unstorable(error)
    }

    private init(unknown value: Any) {
      do throws(ValueConversionError) {
        content = .stored(try PlistValue(untyped: value))
      } catch {
        content = .unstorable(error)
      }
    }

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
