internal import PropertyList

/// The error for a key path without a value in a property list that is to be changed. It names the
/// first component that is missing.
struct MissingValue: Error, CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - path: A path without a value.
  ///   - edited: The path of the edit, which is this one or that of a value in it.
  ///   - root: The property list in which the path was looked up.
  ///   - isRemoval: Whether the value was to be removed.
  init(at path: PlistKeyPath, for edited: PlistKeyPath, in root: PlistValue, isRemoval: Bool) {
    var nearest = path
    repeat { nearest.components.removeLast() } while root[nearest] == nil
    let component = path.components[nearest.components.count]
    let key = PlistKeyPath(components: [component]).excerpt
    let missing = PlistKeyPath(components: nearest.components + [component])
    let container = nearest.isRoot ? "the root" : nearest.excerpt
    let reason =
      switch root[nearest] {
      case .dictionary? where isRemoval:
        path.components.count == 1 ? "" : "; \(container) has no key \(key)"
      case .dictionary?: "; insert \(missing.excerpt) first, with -dictionary or -array"
      case .array(let elements)? where UInt(component) != nil:
        "; \(container) has \(elements.count) element\(elements.count == 1 ? "" : "s")"
      case let value?: "; \(container) is \(value.kind.withArticle)"
      case nil: ""
      }
    description =
      "No value \(isRemoval ? "to remove " : "")at key path \(path.excerpt)\(reason)"
      + edited.hint { root[$0] }
  }
}
