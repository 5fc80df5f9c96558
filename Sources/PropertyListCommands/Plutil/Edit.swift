internal import PropertyList

/// A change of one value in a property list.
struct Edit {
  /// The kind of change.
  enum Action {
    case insert(PlistValue)
    case append(PlistValue)
    case replace(PlistValue)
    case remove
  }

  let path: PlistKeyPath
  let action: Action

  /// Changes the root of a property list.
  ///
  /// - Throws: A ``MissingValue`` if a required value does not exist, or a `PlistEditError`.
  func apply(to root: inout PlistValue) throws {
    do throws(PlistEditError) {
      switch action {
      case .insert(let value): try root.insert(value, at: path)
      case .append(let value): try root.append(value, toArrayAt: path)
      case .replace(let value): try root.replace(at: path, with: value)
      case .remove: try root.remove(at: path)
      }
    } catch {
      guard error.kind == .missing else { throw error }
      throw try MissingValue(at: requiredPath, in: .whole(root))
    }
  }

  /// The path of the value that must exist before the change.
  private var requiredPath: PlistKeyPath {
    switch action {
    case .insert, .replace: PlistKeyPath(components: path.components.dropLast())
    case .append, .remove: path
    }
  }
}
