public import PropertyList
package import TypedPreferences

extension Defaults {
  /// What stores values of the types that need no bridge of their own.
  public struct PlistBridge<Value>: Bridge {
    package let coder: PlistCoder<Value>

    package init(_ coder: PlistCoder<Value>) {
      self.coder = coder
    }

    /// What is stored for a value; nil where it cannot be stored.
    public func serialize(_ value: Value?) -> PlistValue? {
      guard let value else { return nil }
      return (try? coder.encode(value)) ?? nil
    }

    /// The value that is stored; nil where it is none.
    public func deserialize(_ object: PlistValue?) -> Value? {
      guard let object else { return nil }
      return try? coder.decode(object)
    }
  }
}
