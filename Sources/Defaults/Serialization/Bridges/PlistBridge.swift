public import PropertyList
package import TypedPreferences

extension Defaults {
  /// The bridge of types that are stored as property list values of their own.
  public struct PlistBridge<Value>: DerivedBridge {
    /// The stored value.
    public typealias Serializable = PlistValue

    let coder: PlistCoder<Value>

    package init(_ coder: PlistCoder<Value>) { self.coder = coder }
  }
}
