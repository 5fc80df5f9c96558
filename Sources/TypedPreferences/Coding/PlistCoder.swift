internal import Preferences
package import PropertyList

/// Converts the values of a type to property list values, and back.
///
/// The coder of a composite type is made from the coders of its parts, so a type that one front end
/// supports is also supported in containers and by the other front ends.
package struct PlistCoder<Value>: Sendable {
  /// Returns the stored form of a value; nil if nothing is stored, as for nil.
  package var encode: @Sendable (Value) throws(ValueConversionError) -> PlistValue?
  /// Returns the value of a stored form, whether this coder or another library has written it.
  package var decode: @Sendable (PlistValue) throws(ValueConversionError) -> Value
  /// Recovers a value that ``decode`` cannot read by taking missing parts from a base value, such
  /// as the default; returns nil if that does not suffice.
  package var merge: (@Sendable (_ base: Value, _ stored: PlistValue) -> Value?)?
  /// Reads the decodable elements of a collection and keeps the others, if ``decode`` fails; nil
  /// for types that are not collections.
  package var partial: LenientCollectionCoding<Value>?
  /// Returns whether two different stored forms represent equal values; nil if that is impossible.
  package var areEquivalent: (@Sendable (PlistValue, PlistValue) -> Bool)?
  /// Whether decoding is expensive enough for decoded values to be cached.
  package var isCostly: Bool

  package init(
    isCostly: Bool = false,
    encode: @escaping @Sendable (Value) throws(ValueConversionError) -> PlistValue?,
    decode: @escaping @Sendable (PlistValue) throws(ValueConversionError) -> Value,
    merge: (@Sendable (_ base: Value, _ stored: PlistValue) -> Value?)? = nil,
    partial: LenientCollectionCoding<Value>? = nil,
    areEquivalent: (@Sendable (PlistValue, PlistValue) -> Bool)? = nil
  ) {
    self.encode = encode
    self.decode = decode
    self.merge = merge
    self.partial = partial
    self.areEquivalent = areEquivalent
    self.isCostly = isCostly
  }
}

extension PlistCoder {
  /// Creates the coder of a type that is stored as another type.
  ///
  /// - Parameters:
  ///   - stored: The coder of the other type.
  ///   - expected: What the error says was expected if `from` returns nil, such as `a URL`.
  ///   - to: Returns the stored form of a value.
  ///   - from: Returns the value of a stored form; nil if there is none.
  ///   - partial: The coding of a collection with unreadable elements.
  package init<Stored>(
    _ stored: PlistCoder<Stored>, expected: @escaping @autoclosure @Sendable () -> String,
    to: @escaping @Sendable (Value) throws(ValueConversionError) -> Stored,
    from: @escaping @Sendable (Stored) -> Value?, partial: LenientCollectionCoding<Value>? = nil
  ) {
    self.init(
      isCostly: stored.isCostly,
      encode: { value throws(ValueConversionError) in
        try stored.encode(to(value))
      },
      decode: { plist throws(ValueConversionError) in
        guard let value = from(try stored.decode(plist)) else { throw .malformed(expected()) }
        return value
      }, partial: partial,
      areEquivalent: stored.areEquivalent)
  }

  package static func raw(
    _ raw: PlistCoder<Value.RawValue>
  ) -> PlistCoder where Value: RawRepresentable & SendableMetatype {
    PlistCoder(
      raw, expected: Value.rawValueDescription, to: { $0.rawValue }, from: { Value(rawValue: $0) })
  }

  func decoding(
    _ decode: @escaping @Sendable (PlistValue) throws(ValueConversionError) -> Value
  ) -> PlistCoder {
    var coder = self
    coder.decode = decode
    return coder
  }

  /// Returns a coder that uses another coder to read values that this one cannot decode.
  package func orReading(_ other: PlistCoder) -> PlistCoder {
    var coder = decoding { [decode] plist throws(ValueConversionError) in
      do throws(ValueConversionError) { return try decode(plist) } catch {
        guard let value = try? other.decode(plist) else { throw error }
        return value
      }
    }
    coder.isCostly = isCostly || other.isCostly
    coder.merge = { [merge] base, plist in merge?(base, plist) ?? other.merge?(base, plist) }
    return coder
  }

  /// Returns whether two stored forms represent equal values.
  package func isSame(_ one: PlistValue?, _ other: PlistValue?) -> Bool {
    if one == other { return true }
    guard let areEquivalent, let one, let other else { return false }
    return areEquivalent(one, other)
  }
}
