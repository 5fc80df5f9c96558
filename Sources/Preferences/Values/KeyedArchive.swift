package import FoundationEssentials
package import PropertyList

/// The format of Foundation's `NSKeyedArchiver`: a binary property list of objects that refer to
/// each other by UIDs, their positions in a list.
package struct KeyedArchive {
  /// The objects. References to nil lead to the first one.
  package let objects: [PlistValue]
  /// References to the top-level objects by name, usually one named `root`.
  package var top: PlistDictionary
  /// The whole property list, with entries such as the version.
  private var entries: PlistDictionary

  private static let archiver: PlistValue = "NSKeyedArchiver"

  /// Returns nil if the data is not a keyed archive.
  package init?(_ data: Data) {
    guard PlistFormat(detecting: data) == .binary,
      case .dictionary(let entries)? = try? Plist.read(data, as: .binary).value,
      entries["$archiver"] == Self.archiver,
      case .array(let objects)? = entries["$objects"], case .dictionary(let top)? = entries["$top"]
    else { return nil }
    self.objects = objects
    self.top = top
    self.entries = entries
  }

  init(objects: [PlistValue], root: UInt32) {
    self.objects = objects
    top = ["root": .uid(root)]
    entries = ["$version": 100_000, "$archiver": Self.archiver, "$objects": .array(objects)]
  }

  func object(_ reference: PlistValue?) -> PlistValue? {
    guard case .uid(let uid)? = reference, objects.indices.contains(Int(uid)) else { return nil }
    return objects[Int(uid)]
  }

  package func data() throws(PlistError) -> Data {
    var entries = entries
    entries["$top"] = .dictionary(top)
    return try Plist.write(.dictionary(entries), as: .binary)
  }
}
