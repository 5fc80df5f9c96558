internal import TypedPreferences

extension Defaults {
  /// The bridge of arrays, which are stored as arrays of what the bridge of the elements returns.
  public struct ArrayBridge<Element: DefaultsSerializable>: DerivedBridge {
    /// The array.
    public typealias Value = [Element]
    /// The stored forms of the elements.
    public typealias Serializable = [Element.Serializable]

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<[Element]> { .array(of: .serializable()).readingJSON() }
    var formCoder: PlistCoder<[Element]> { .array(of: .form()) }
  }
}
