internal import Foundation
internal import PropertyList
internal import TypedPreferences

extension PlistCoder {
  /// A coder of classes with secure coding, stored as the data of keyed archives.
  ///
  /// The archives of equal objects may differ: `isEqual` decides whether they are equal.
  static func keyedArchive() -> PlistCoder where Value: NSObject & NSSecureCoding {
    let decode: @Sendable (PlistValue) throws(ValueConversionError) -> Value = {
      plist throws(ValueConversionError) in
      guard case .data(let data) = plist else { throw .wrongKind("data", plist) }
      guard let value = try ArchiveCoder.decode(data) as? Value else {
        throw .malformed("an archive of type \(Value.self)")
      }
      return value
    }
    return PlistCoder(
      isCostly: true,
      encode: { value throws(ValueConversionError) in
        .data(try ArchiveCoder.encode(value))
      }, decode: decode,
      areEquivalent: { one, other in
        guard let one = try? decode(one), let other = try? decode(other) else { return false }
        return one.isEqual(other)
      })
  }
}
