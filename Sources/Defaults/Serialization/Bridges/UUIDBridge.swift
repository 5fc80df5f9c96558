public import FoundationEssentials
internal import TypedPreferences

extension Defaults {
  /// The bridge of UUIDs, which are stored as their text.
  public struct UUIDBridge: CoderBridge {
    /// Creates the bridge.
    public init() {}

    /// Returns the text of a UUID.
    public func serialize(_ value: UUID?) -> String? {
      value?.uuidString
    }

    /// Returns the UUID of a text; nil if it is none.
    public func deserialize(_ object: String?) -> UUID? {
      object.flatMap { UUID(uuidString: $0) }
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      UUID.plistCoder as? PlistCoder<Stored>
    }
  }
}
