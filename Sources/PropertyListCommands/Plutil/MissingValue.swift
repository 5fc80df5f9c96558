internal import PropertyList

/// The error for a key path without a value at which a property list is to be changed. It names the
/// longest part of the path that leads to a value.
struct MissingValue: Error, CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - path: A path without a value.
  ///   - root: The property list in which the path was looked up.
  ///   - isRemoval: Whether the value was to be removed.
  init(at path: PlistKeyPath, in root: PlistValue, isRemoval: Bool) {
    var nearest = path
    repeat { nearest.components.removeLast() } while root[nearest] == nil
    let place = nearest.isRoot ? "the root" : nearest.excerpt
    let container = root[nearest] ?? .dictionary([:])
    let purpose = isRemoval ? "to remove " : ""
    description =
      "No value \(purpose)at key path \(path.excerpt); "
      + "\(place) is \(container.kind.withArticle)\(Self.size(of: container))"
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
