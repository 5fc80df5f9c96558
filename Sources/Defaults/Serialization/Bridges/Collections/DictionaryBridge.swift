internal import TypedPreferences

extension Defaults {
  /// The bridge of dictionaries, which are stored under the descriptions of their keys.
  public struct DictionaryBridge<
    Key: LosslessStringConvertible & Hashable, Element: DefaultsSerializable
  >: DerivedBridge {
    /// The values by their keys.
    public typealias Value = [Key: Element.Value]
    /// The stored forms of the values by the descriptions of their keys.
    public typealias Serializable = [String: Element.Serializable]

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<[Key: Element]> { .dictionary(of: .serializable()).readingJSON() }
    var formCoder: PlistCoder<[Key: Element]> { .dictionary(of: .form()) }
  }
}
