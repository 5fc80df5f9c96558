extension Defaults {
  /// The bridge of Codable types, which are stored as strings of JSON.
  ///
  /// Types that property lists have are stored as they are.
  public struct TopLevelCodableBridge<Value: Codable>: CodableCoderBridge {
    /// Creates the bridge.
    public init() {}
  }
}
