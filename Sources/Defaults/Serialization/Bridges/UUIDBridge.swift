public import FoundationEssentials
internal import TypedPreferences

extension Defaults {
  /// The bridge of UUIDs, which are stored as their text.
  public struct UUIDBridge: DerivedBridge {
    /// A UUID.
    public typealias Value = UUID
    /// Its text.
    public typealias Serializable = String

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<UUID> { UUID.plistCoder }
  }
}
