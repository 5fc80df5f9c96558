internal import Foundation
internal import PropertyList
internal import TypedPreferences

extension PlistCoder {
  /// A coder of classes with secure coding, stored as the data of keyed archives.
  static func keyedArchive() -> PlistCoder where Value: NSObject & NSSecureCoding {
    PlistCoder(isCostly: true) { value throws(ValueConversionError) in
      .data(try ArchiveCoder.encode(value))
    } decode: { plist throws(ValueConversionError) in
      guard case .data(let data) = plist else { throw .wrongKind("data", plist) }
      guard let value = try ArchiveCoder.decode(data) as? Value else {
        throw .malformed("an archive of type \(Value.self)")
      }
      return value
    }
  }
}
