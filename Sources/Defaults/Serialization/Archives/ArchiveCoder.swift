internal import Foundation
internal import PropertyList
internal import TypedPreferences

/// Objects as Foundation's keyed archives, kept from what ends the process.
///
/// Foundation stops a program that archives an instance of a class without a name of the form
/// `Module.Class` (private, nested, local and generic ones) or without secure coding, wherever among the
/// objects it stands, and one that reads an archive which refers to itself, names no class where it should
/// or holds an object that cannot be decoded within a dictionary. Here all of that is an error.
///
/// What a class does by itself is not looked into. Of Foundation's, `NSDecimalNumber` and `NSError` end the
/// process when they are hashed, as every archiver does, and `NSRegularExpression` when it is read and its
/// pattern is none.
enum KeyedArchive {
  // MARK: Writing

  /// The archive of an object.
  static func data(of object: NSObject) throws(ValueConversionError) -> Data {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    let gate = ArchiveGate()
    archiver.delegate = gate
    archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    if let type = gate.refused { throw .unstorable(type) }
    if let error = archiver.error { throw ValueConversionError(.coding("\(error)")) }
    let data = archiver.encodedData
    // Objects that refer to each other can be written, but not be read.
    _ = try ArchiveCheck(objects(of: contents(of: data)))
    return data
  }

  /// Whether instances of a class can be archived and read: whether it has a name that archives can hold,
  /// as those that it inherits from have, and says that it can be coded securely.
  static func canHold(_ type: AnyClass) -> Bool {
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

  // MARK: Reading

  /// The object at the root of an archive.
  static func object(from data: Data) throws(ValueConversionError) -> Any? {
    var archive = try contents(of: data)
    let instances = try ArchiveCheck(objects(of: archive)).instances
    guard case .dictionary(var top)? = archive["$top"] else { throw notAnArchive }
    // Each object is decoded before those that refer to it, so that no container, which would not survive
    // it, finds one that cannot be.
    for instance in instances { top["\(instance)"] = .uid(UInt32(instance)) }
    archive["$top"] = .dictionary(top)
    do {
      let data = try Plist.write(.dictionary(archive), as: .binary)
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
      // Its own check of classes ends the process; they have been checked.
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

  private static func contents(of data: Data) throws(ValueConversionError) -> PlistDictionary {
    guard PlistFormat(detecting: data) == .binary,
      case .dictionary(let archive)? = try? Plist.read(data, as: .binary).value,
      archive["$archiver"] == "NSKeyedArchiver"
    else { throw notAnArchive }
    return archive
  }

  private static func objects(of archive: PlistDictionary) throws(ValueConversionError)
    -> [PlistValue]
  {
    guard case .array(let objects)? = archive["$objects"] else { throw notAnArchive }
    return objects
  }

  private static var notAnArchive: ValueConversionError { .malformed("a keyed archive") }
}
