internal import Foundation

/// Lets into an archive only what Foundation can archive.
final class ArchiveGate: NSObject, NSKeyedArchiverDelegate {
  /// The type of the first object that was kept out; nil where there was none. The archive has null in its
  /// place and is of no use.
  private(set) var refused: Any.Type?

  func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
    // A value of Swift's enters as the object that it is bridged to.
    if refused == nil, let object = object as AnyObject as? NSObject,
      KeyedArchive.canHold(object.classForCoder)
    {
      return object
    }
    if refused == nil { refused = type(of: object) }
    return NSNull()
  }

  func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}

  func archiver(
    _ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?
  ) {}

  func archiverWillFinish(_ archiver: NSKeyedArchiver) {}

  func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
}
