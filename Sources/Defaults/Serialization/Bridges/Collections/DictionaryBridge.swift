internal import TypedPreferences

extension Defaults {
  /// The bridge of dictionaries, which are stored under the descriptions of their keys.
  public struct DictionaryBridge<
    Key: LosslessStringConvertible & Hashable, Element: DefaultsSerializable
  >: CoderBridge {
    /// The values by their keys.
    public typealias Value = [Key: Element.Value]
    /// The stored forms of the values by the descriptions of their keys.
    public typealias Serializable = [String: Element.Serializable]

    /// Creates the bridge.
    public init() {}

    /// Returns the stored forms of the values, without those of values that have none.
    public func serialize(_ value: Value?) -> Serializable? {
      value.map { value in
        let entries = value.compactMap { key, element in
          Element.bridge.serialize(element).map { (String(key), $0) }
        }
        return Serializable(entries, uniquingKeysWith: { $1 })
      }
    }

    /// Returns the values of stored forms, without those that cannot be read or whose key cannot.
    public func deserialize(_ object: Serializable?) -> Value? {
      object.map { object in
        let entries = object.compactMap { text, stored -> (Key, Element.Value)? in
          guard let key = Key(text) else { return nil }
          return Element.bridge.deserialize(stored).map { (key, $0) }
        }
        return Value(entries, uniquingKeysWith: { $1 })
      }
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      PlistCoder<[Key: Element]>.dictionary(of: .serializable()).readingJSON()
        as? PlistCoder<Stored>
    }
  }
}
