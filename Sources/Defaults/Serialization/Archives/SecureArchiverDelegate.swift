internal import Foundation

/// Replaces every object that Foundation cannot archive with null, and remembers the first of them.
final class SecureArchiverDelegate: NSObject, NSKeyedArchiverDelegate {
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
