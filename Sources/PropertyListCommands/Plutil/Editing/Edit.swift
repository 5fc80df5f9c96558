internal import CommandLineInterface
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

  /// Changes a document.
  func apply(to document: inout EditedPlistDocument) throws(PlistEditError) {
    switch action {
    case .insert(let value): try document.insert(value, at: path)
    case .append(let value): try document.append(value, toArrayAt: path)
    case .replace(let value): try document.replace(at: path, with: value)
    case .remove: try document.remove(at: path)
    }
  }

  /// Changes the root of a property list.
  ///
  /// - Throws: A ``MissingValue`` if a required value does not exist, or another error that says why
  ///   the value cannot be changed.
  func apply(to root: inout PlistValue) throws {
    do throws(PlistEditError) {
      switch action {
      case .insert(let value): try root.insert(value, at: path)
      case .append(let value): try root.append(value, toArrayAt: path)
      case .replace(let value): try root.replace(at: path, with: value)
      case .remove: try root.remove(at: path)
      }
    } catch {
      switch error.kind {
      case .missing:
        throw MissingValue(at: requiredPath, for: path, in: root, isRemoval: isRemoval)
      case .alreadyExists where !path.isRoot:
        throw CommandFailure(
          "Value already exists at key path \(path.excerpt); use -replace to change it")
      default:
        throw error
      }
    }
  }

  private var isRemoval: Bool {
    if case .remove = action { true } else { false }
  }

  /// The path of the value that must exist before the change.
  private var requiredPath: PlistKeyPath {
    switch action {
    case .insert, .replace: PlistKeyPath(components: path.components.dropLast())
    case .append, .remove: path
    }
  }
}

/// The error for a key path without a value in a property list that is to be changed. It names the
/// first component that is missing.
private struct MissingValue: Error, CustomStringConvertible {
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
