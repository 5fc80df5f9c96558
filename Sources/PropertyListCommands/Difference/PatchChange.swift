internal import CommandLineInterface
internal import PropertyList

/// A change of one value, as `-diff --json` prints it on a line and `-patch` makes it. Changes are
/// made one after another: each index refers to the array after the earlier changes.
struct PatchChange {
  let path: PlistKeyPath
  /// The value before the change; nil for an inserted value.
  let old: PlistValue?
  /// The value after the change; nil for a removed value.
  let new: PlistValue?
  /// The number of elements before an element is inserted; nil for other changes.
  var count: Int?

  /// The changes that turn one property list into another, in the order of keys and elements. Nil
  /// means that a value does not exist.
  static func changes(from first: PlistValue?, to second: PlistValue?) -> [PatchChange] {
    var changes: [PatchChange] = []
    add(first, second, at: [], to: &changes)
    return changes
  }

  // Readers limit the depth of values, and so the depth of the recursion.
  private static func add(
    _ first: PlistValue?, _ second: PlistValue?, at path: [String], to changes: inout [PatchChange]
  ) {
    switch (first, second) {
    case (let first, let second) where first == second: break
    case (.dictionary(let first)?, .dictionary(let second)?):
      for key in first.sortedKeys(with: second) {
        add(first[key], second[key], at: path + [key], to: &changes)
      }
    case (.array(let first)?, .array(let second)?):
      var count = first.count
      for change in ArrayAlignment(of: first, with: second).changes {
        for (number, pair) in change.pairs.enumerated() {
          // Removed elements have the index after the elements that replace others.
          let index = min(change.second.lowerBound + number, change.second.upperBound)
          let inner = path + [String(index)]
          let (old, new) = (pair.first.map { first[$0] }, pair.second.map { second[$0] })
          guard old == nil || new == nil else {
            add(old, new, at: inner, to: &changes)
            continue
          }
          changes.append(
            PatchChange(
              path: PlistKeyPath(components: inner), old: old, new: new,
              count: old == nil ? count : nil))
          count += old == nil ? 1 : -1
        }
      }
    default:
      changes.append(PatchChange(path: PlistKeyPath(components: path), old: first, new: second))
    }
  }

  var object: PlistDictionary {
    var object: PlistDictionary = ["keyPath": .string("\(path)")]
    if let old { object["old"] = TypedJSON.encode(old) }
    if let new { object["new"] = TypedJSON.encode(new) }
    if let count { object["count"] = .integer(Int64(count)) }
    return object
  }

  /// Reads the object of a line; throws an error for a malformed one.
  init(_ object: PlistDictionary) throws {
    guard case .string(let text)? = object["keyPath"],
      object["old"] != nil || object["new"] != nil
    else {
      throw CommandFailure(
        object["file"] != nil
          ? "only the differences of two files can be applied"
          : "expected an object with keyPath and old, new or both, as -diff --json prints")
    }
    path = PlistKeyPath(text)
    old = try object["old"].map(TypedJSON.decode)
    new = try object["new"].map(TypedJSON.decode)
    if case .integer(let number)? = object["count"] { count = Int(exactly: number) }
  }

  private init(path: PlistKeyPath, old: PlistValue?, new: PlistValue?, count: Int? = nil) {
    (self.path, self.old, self.new, self.count) = (path, old, new, count)
  }

  struct Conflict: Error {
    let path: PlistKeyPath
    let reason: String
  }

  /// The edit that makes the change; nil if the property list already has the new value.
  func edit(of root: PlistValue) throws(Conflict) -> Edit? {
    let present = root[path]
    let elements: [PlistValue]? =
      if !path.isRoot, case .array(let elements)? = root[container] { elements } else { nil }
    if let elements, let count, elements.count != count {
      throw conflict("the array has \(elements.count) elements, not \(count)")
    }
    if let elements, let new, old == nil {
      // Inserting moves the present element.
      guard Int(path.components[path.components.count - 1]).map({ $0 <= elements.count }) == true
      else { throw conflict("the index is out of range") }
      return Edit(path: path, action: .insert(new))
    }
    // A missing element may be a different element from the one to remove.
    let isMade = present == new && (new != nil || elements == nil)
    if isMade { return nil }
    guard present == old else { throw conflict(other(than: present)) }
    guard let new else {
      guard !path.isRoot else { throw conflict("the root cannot be removed") }
      return Edit(path: path, action: .remove)
    }
    guard old == nil else { return Edit(path: path, action: .replace(new)) }
    guard case .dictionary? = root[container] else {
      let place = container.isRoot ? "the root" : container.excerpt
      throw conflict("there is no dictionary at \(place)")
    }
    return Edit(path: path, action: .insert(new))
  }

  /// The path of the dictionary or array of the value.
  var container: PlistKeyPath { PlistKeyPath(components: path.components.dropLast()) }

  private func conflict(_ reason: String) -> Conflict { Conflict(path: path, reason: reason) }

  private func other(than present: PlistValue?) -> String {
    if present == nil { return "there is no value" }
    return old == nil ? "a value already exists" : "the value differs from the one to change"
  }
}
