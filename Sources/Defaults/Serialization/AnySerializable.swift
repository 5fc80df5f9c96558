public import Preferences
public import PropertyList
internal import TypedPreferences

extension Defaults {
  /// A value of any type that can be stored, for collections of values of several types.
  ///
  /// It holds what is stored, and whoever gets a value says of which type that is.
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
      /// A value that cannot be stored, which whoever tries to is told.
      case failure(ValueConversionError)
    }

    private var content: Content

    /// A value, in the form in which its type is stored.
    ///
    /// One that cannot be stored makes storing this fail.
    public init<Value: Serializable>(_ value: Value) {
      do throws(ValueConversionError) {
        content = try PlistCoder<Value>.serializable().encode(value).map { .stored($0) } ?? .nothing
      } catch {
        content = .failure(error)
      }
    }

    /// A value of a type that is known only now.
    init(untyped value: Any) {
      if let value = value as? any Serializable {
        self.init(value)
      } else {
        self.init(unknown: value)
      }
    }

    private init(unknown value: Any) {
      do throws(PreferencesError) {
        content = .stored(try PlistValue(storing: value))
      } catch {
        content = .failure(ValueConversionError(.coding("\(error)")))
      }
    }

    /// The value as one of the type that is asked for; nil where it is none.
    public func get<Value: Serializable>() -> Value? {
      get(Value.self)
    }

    /// The value as one of a type; nil where it is none.
    public func get<Value: Serializable>(_ type: Value.Type) -> Value? {
      guard case .stored(let plist) = content else { return nil }
      return try? PlistCoder<Value>.serializable().decode(plist)
    }

    /// Puts a value in the place of this one.
    public mutating func set<Value: Serializable>(_ newValue: Value) {
      self = AnySerializable(newValue)
    }

    /// Stored as what it holds.
    public static var bridge: PlistBridge<AnySerializable> {
      PlistBridge(
        PlistCoder { value throws(ValueConversionError) in
          switch value.content {
          case .nothing: return nil
          case .stored(let plist): return plist
          case .failure(let failure): throw failure
          }
        } decode: { plist in
          var value: AnySerializable = nil
          if plist != .storedNil { value.content = .stored(plist) }
          return value
        })
    }
  }
}

extension Defaults.AnySerializable: PlistValueConvertible {
  /// What is stored within a container; nil where the value cannot be stored.
  public var plistValue: PlistValue? {
    switch content {
    case .nothing: .storedNil
    case .stored(let plist): plist
    case .failure: nil
    }
  }
}

extension Defaults.AnySerializable: ExpressibleByNilLiteral {
  /// No value.
  public init(nilLiteral: ()) {
    content = .nothing
  }
}
