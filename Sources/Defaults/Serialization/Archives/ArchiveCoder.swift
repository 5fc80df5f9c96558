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
/// The code of the classes themselves is not checked. Of Foundation's, `NSDecimalNumber` and
/// `NSError` trap when they are hashed, which every archiver does, and `NSRegularExpression` when
/// an invalid pattern is read.
enum ArchiveCoder {
  // MARK: Encoding

  /// Returns the archive of an object.
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
    // Objects that refer to each other in a cycle can be archived, but not be read.
    _ = try ArchiveValidator(archive.objects)
    do {
      // The members of an object, which Foundation writes in any order, are written in one order.
      return try archive.data()
    } catch {
      throw ValueConversionError(.coding("\(error)"))
    }
  }

  /// Returns whether instances of a class can be archived and read: whether it supports secure
  /// coding, and has a name that archives can hold, as must its superclasses.
  static func supports(_ type: AnyClass) -> Bool {
    guard let secure = type as? any NSSecureCoding.Type, secure.supportsSecureCoding else {
      return false
    }
    var next: AnyClass? = type
    while let type = next {
      let name = String(reflecting: type)
      guard name.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 1,
        !name.utf8.contains(where: { "<( ".utf8.contains($0) })
      else { return false }
      next = _getSuperclass(type)
    }
    return true
  }

  // MARK: Decoding

  /// Returns the root object of an archive.
  static func decode(_ data: Data) throws(ValueConversionError) -> Any? {
    var archive = try archive(data)
    let instances = try ArchiveValidator(archive.objects).instances
    // Objects are decoded before those that refer to them, so that an object that cannot be decoded
    // is found before a container is, which would trap on it.
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
    // Swift values are archived as the objects that they are bridged to.
    if rejectedType == nil, let object = object as AnyObject as? NSObject,
      ArchiveCoder.supports(object.classForCoder)
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
