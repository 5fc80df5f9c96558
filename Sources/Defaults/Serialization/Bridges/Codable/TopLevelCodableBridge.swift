public import Foundation
internal import TypedPreferences

extension Defaults {
  /// The bridge of Codable types, which are stored as strings of JSON.
  ///
  /// Types that property lists have are stored as they are.
  public struct TopLevelCodableBridge<Value: Codable>: CodableBridge, CoderBridge {
    /// Creates the bridge.
    public init() {}

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      Value.self == type ? .codableText() : nil
    }
  }

  /// The bridge of Codable types with raw values, which are stored as strings of JSON.
  public typealias RawRepresentableCodableBridge<
    Value: RawRepresentable & Codable
  > = TopLevelCodableBridge<Value>

  /// The bridge of Codable classes with secure coding, which are stored as strings of JSON.
  public typealias CodableNSSecureCodingBridge<
    Value: Codable & NSSecureCoding & NSObject
  > = TopLevelCodableBridge<Value>
}
