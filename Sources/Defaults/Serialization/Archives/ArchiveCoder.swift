internal import Foundation
internal import Preferences
internal import PropertyList
internal import TypedPreferences

/// Encodes objects as keyed archives and decodes them, with errors where Foundation traps.
///
/// Foundation traps when it archives an instance of a class whose name does not have the form
/// `Module.Class` (private, nested, local and generic ones) or that does not support secure coding,
/// wherever it is among the objects. It also traps when it reads an archive that refers to itself,
/// lacks the name of a class, or holds an object within a dictionary that cannot be decoded.
///
/// The code of the classes themselves is not checked. In Foundation, `NSDecimalNumber` and
/// `NSError` trap when they are hashed, as every archiver does, and `NSRegularExpression` traps
/// when it reads an invalid pattern.
enum ArchiveCoder {
  // MARK: Encoding

  static func encode(_ object: NSObject) throws(ValueConversionError) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    let delegate = SecureArchiverDelegate()
    archiver.delegate = delegate
    archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    if let type = delegate.rejectedType {
      throw .unstorable(
        type,
        remedy:
          "archives accept only classes with secure coding that are not private, nested or generic")
    }
    if let error = archiver.error { throw ValueConversionError(.coding("\(error)")) }
    let archive = try archive(archiver.encodedData)
    // Objects that refer to each other in a cycle can be archived, but not read.
    _ = try ArchiveValidator(archive.objects)
    do {
      // Foundation writes the members of an object in any order; here the order is always the same.
      return try archive.data()
    } catch {
      throw ValueConversionError(.coding("\(error)"))
    }
  }

  // MARK: Decoding

  /// Returns the root object of an archive.
  static func decode(_ data: Data) throws(ValueConversionError) -> Any? {
    var archive = try archive(data)
    let instances = try ArchiveValidator(archive.objects).instances
    // Objects are decoded before the objects that refer to them: an object that cannot be decoded
    // is then found before a container traps on it.
    for instance in instances { archive.top["\(instance)"] = .uid(UInt32(instance)) }
    do {
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive.data())
      // Foundation's own check of the classes traps; the validator has checked them.
      unarchiver.requiresSecureCoding = false
      unarchiver.decodingFailurePolicy = .setErrorAndReturn
      for name in instances.map(String.init) + [NSKeyedArchiveRootObjectKey] {
        let object = unarchiver.decodeObject(forKey: name)
        if let error = unarchiver.error { throw error }
        if object == nil || name == NSKeyedArchiveRootObjectKey { return object }
      }
      return nil
    } catch {
      let text = (error as NSError).userInfo[NSDebugDescriptionErrorKey]
      throw ValueConversionError(.coding(text as? String ?? "\(error)"))
    }
  }

  private static func archive(_ data: Data) throws(ValueConversionError) -> KeyedArchive {
    guard let archive = KeyedArchive(data) else { throw .malformed("a keyed archive") }
    return archive
  }
}

/// Replaces every object that Foundation cannot archive with null, and remembers the first of them.
private final class SecureArchiverDelegate: NSObject, NSKeyedArchiverDelegate {
  /// The type of the first object that was replaced; nil if there was none. An archive with a
  /// replaced object is unusable.
  private(set) var rejectedType: Any.Type?

  func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
    // Swift values are archived as the objects to which they are bridged.
    if rejectedType == nil, let object = object as AnyObject as? NSObject,
      ArchiveValidator.accepts(object.classForCoder)
    {
      return object
    }
    if rejectedType == nil { rejectedType = type(of: object) }
    return NSNull()
  }

  func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}

  func archiver(
    _ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?
  ) {}

  func archiverWillFinish(_ archiver: NSKeyedArchiver) {}

  func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
}

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
