internal import Foundation
internal import PropertyList
internal import TypedPreferences

extension PlistCoder {
  /// Classes with secure coding, stored as the data of keyed archives.
  static func keyedArchive() -> PlistCoder where Value: NSObject & NSSecureCoding {
    PlistCoder(isCostly: true) { value throws(ValueConversionError) in
      .data(try KeyedArchive.data(of: value))
    } decode: { plist throws(ValueConversionError) in
      guard case .data(let data) = plist else { throw .wrongKind("data", plist) }
      let object = try KeyedArchive.object(from: data)
      guard let value = object as? Value else {
        throw .malformed("an archive of type \(Value.self)")
      }
      return value
    }
  }
}
