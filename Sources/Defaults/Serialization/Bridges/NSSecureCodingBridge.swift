public import Foundation
internal import TypedPreferences

extension Defaults {
  /// The bridge of classes with secure coding, which are stored as keyed archives.
  public struct NSSecureCodingBridge<Value: NSSecureCoding & NSObject>: CoderBridge {
    /// Creates the bridge.
    public init() {}

    /// Returns the archive of an object; nil if it cannot be archived.
    public func serialize(_ value: Value?) -> Data? {
      value.flatMap { try? ArchiveCoder.encode($0) }
    }

    /// Returns the object of an archive; nil if there is none of the type.
    public func deserialize(_ object: Data?) -> Value? {
      guard let object, let value = try? ArchiveCoder.decode(object) else { return nil }
      return value as? Value
    }

    func coder<Stored: DefaultsSerializable>(of type: Stored.Type) -> PlistCoder<Stored>? {
      PlistCoder<Value>.keyedArchive() as? PlistCoder<Stored>
    }
  }
}
