internal import TypedPreferences

extension Defaults {
  /// The bridge of arrays, which are stored as arrays of what the bridge of the elements returns.
  public struct ArrayBridge<Element: DefaultsSerializable>: CoderBridge {
    /// Creates the bridge.
    public init() {}

    /// Returns the stored forms of the elements, without those of elements that have none.
    public func serialize(_ value: [Element]?) -> [Element.Serializable]? {
      value?.compactMap { Element.bridge.serialize($0 as? Element.Value) }
    }

    /// Returns the elements of stored forms, without those that cannot be read.
    public func deserialize(_ object: [Element.Serializable]?) -> [Element]? {
      object?.compactMap { Element.bridge.deserialize($0) as? Element }
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      PlistCoder<[Element]>.array(of: .serializable()).readingJSON() as? PlistCoder<Stored>
    }
  }
}
