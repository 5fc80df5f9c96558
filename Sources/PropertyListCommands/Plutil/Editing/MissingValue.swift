internal import PropertyList

/// The error for a key path without a value in a property list that is to be changed. It names the
/// longest part of the path that leads to a value, unless that is the root.
struct MissingValue: Error, CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - path: A path without a value.
  ///   - root: The property list in which the path was looked up.
  ///   - isRemoval: Whether the value was to be removed.
  init(at path: PlistKeyPath, in root: PlistValue, isRemoval: Bool) {
    var nearest = path
    repeat { nearest.components.removeLast() } while root[nearest] == nil
    let what = "No value \(isRemoval ? "to remove " : "")at key path \(path.excerpt)"
    guard !nearest.isRoot, let container = root[nearest] else {
      description =
        isRemoval ? what : "\(what); insert it first, with -dictionary or -array"
      return
    }
    let size = Self.size(of: container)
    description = "\(what); \(nearest.excerpt) is \(container.kind.withArticle)\(size)"
  }

  /// The number of keys or elements, such as ` of 2 elements`; empty for other values.
  private static func size(of container: PlistValue) -> String {
    switch container {
    case .dictionary(let dictionary):
      " of \(dictionary.count) key\(dictionary.count == 1 ? "" : "s")"
    case .array(let elements), .set(let elements):
      " of \(elements.count) element\(elements.count == 1 ? "" : "s")"
    default: ""
    }
  }
}
