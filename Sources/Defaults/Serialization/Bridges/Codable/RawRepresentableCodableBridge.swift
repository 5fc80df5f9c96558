extension Defaults {
  /// The bridge of Codable types with raw values, which are stored as strings of JSON.
  public struct RawRepresentableCodableBridge<Value: RawRepresentable & Codable>: CodableCoderBridge
  {
    /// Creates the bridge.
    public init() {}
  }
}
