package import PropertyList

/// How the values of a type are stored in preferences, and read back.
///
/// A coder is put together from those of what a value consists of, so that a type that one front end has
/// been taught is known inside containers and to the other front ends, too.
package struct PlistCoder<Value>: Sendable {
  /// What is stored for a value; nil for nothing, as for nil.
  package let encode: @Sendable (Value) throws(ValueConversionError) -> PlistValue?
  /// The value that is stored in a form that this coder or another library has written.
  package let decode: @Sendable (PlistValue) throws(ValueConversionError) -> Value
  /// What is read where ``decode`` fails, from a value that is to lend what is missing, and what is
  /// stored; nil where nothing can be made of it.
  package let merge: (@Sendable (_ base: Value, _ stored: PlistValue) -> Value?)?
  /// Whether decoding takes so long that what has been decoded is worth keeping.
  package let isCostly: Bool

  /// A coder of the closures that do its work.
  package init(
    isCostly: Bool = false,
    encode: @escaping @Sendable (Value) throws(ValueConversionError) -> PlistValue?,
    decode: @escaping @Sendable (PlistValue) throws(ValueConversionError) -> Value,
    merge: (@Sendable (_ base: Value, _ stored: PlistValue) -> Value?)? = nil
  ) {
    self.encode = encode
    self.decode = decode
    self.merge = merge
    self.isCostly = isCostly
  }
}

extension PlistCoder {
  /// The coder of a type that is stored as another one.
  ///
  /// - Parameters:
  ///   - expected: What a value that ``from`` gives nothing for should have been, such as `a URL`.
  ///   - to: What is stored for a value.
  ///   - from: The value for what was stored; nil where there is none.
  package init<Stored>(
    _ stored: PlistCoder<Stored>, expected: String,
    to: @escaping @Sendable (Value) throws(ValueConversionError) -> Stored,
    from: @escaping @Sendable (Stored) -> Value?
  ) {
    self.init(isCostly: stored.isCostly) { value throws(ValueConversionError) in
      try stored.encode(to(value))
    } decode: { plist throws(ValueConversionError) in
      guard let value = from(try stored.decode(plist)) else { throw .malformed(expected) }
      return value
    }
  }

  /// A coder that tries another one where this one cannot decode what is stored.
  package func orReading(_ other: PlistCoder) -> PlistCoder {
    let (encode, decode) = (encode, decode)
    return PlistCoder(isCostly: isCostly || other.isCostly, encode: encode) {
      plist throws(ValueConversionError) in
      do throws(ValueConversionError) {
        return try decode(plist)
      } catch {
        guard let value = try? other.decode(plist) else { throw error }
        return value
      }
    } merge: { [merge] base, plist in
      merge?(base, plist) ?? other.merge?(base, plist)
    }
  }
}
