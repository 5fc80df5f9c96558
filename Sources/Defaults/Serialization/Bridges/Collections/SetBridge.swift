internal import TypedPreferences

extension Defaults {
  /// The bridge of sets, which are stored as arrays in an order that depends only on the elements.
  public struct SetBridge<Element: DefaultsSerializable & Hashable>: CoderBridge {
    /// Creates the bridge.
    public init() {}

    /// Returns an array of the elements if property lists have their type, and of their stored forms
    /// otherwise.
    public func serialize(_ value: Set<Element>?) -> Any? {
      value.map { Element.serializeAll(Element.storedOrder(of: $0, Self.coder) ?? Array($0)) }
    }

    /// Returns the set of what is stored; nil if that is no array of elements.
    public func deserialize(_ object: Any?) -> Set<Element>? {
      Element.deserializeAll(object).map { Set($0) }
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      Self.coder.readingJSON() as? PlistCoder<Stored>
    }

    private static var coder: PlistCoder<Set<Element>> { .set(of: .serializable()) }
  }
}
