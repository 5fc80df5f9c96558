internal import TypedPreferences

extension Defaults {
  /// The bridge of sets, which are stored as arrays in an order that depends only on the elements.
  public struct SetBridge<Element: DefaultsSerializable & Hashable>: DerivedBridge {
    /// The set.
    public typealias Value = Set<Element>
    /// An array of the elements' stored forms.
    public typealias Serializable = Any

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Set<Element>> { .set(of: .serializable()).readingJSON() }
  }
}
