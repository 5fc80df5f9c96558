public import Foundation

extension Defaults {
  /// The bridge of Codable classes with secure coding, which are stored as strings of JSON.
  public struct CodableNSSecureCodingBridge<Value: Codable & NSSecureCoding & NSObject>:
    CodableCoderBridge
  {
    /// Creates the bridge.
    public init() {}
  }
}
