public import FoundationEssentials
internal import TypedPreferences

extension Defaults {
  /// The bridge of URLs, which are stored as JSON strings.
  public struct URLBridge: CodableBridge, CoderBridge {
    /// A URL.
    public typealias Value = URL

    /// Creates the bridge.
    public init() {}

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      URL.quotingCoder as? PlistCoder<Stored>
    }
  }
}
