public import Foundation
internal import TypedPreferences

extension Defaults {
  /// The bridge of classes with secure coding, which are stored as keyed archives.
  public struct NSSecureCodingBridge<Value: NSSecureCoding & NSObject>: DerivedBridge {
    /// The archive.
    public typealias Serializable = Data

    /// Creates the bridge.
    public init() {}

    var coder: PlistCoder<Value> { .keyedArchive() }
  }
}
