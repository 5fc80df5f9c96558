internal import Foundation
internal import PropertyList
internal import TypedPreferences

/// A walk through the objects of a keyed archive, which finds what Foundation's reader does not survive:
/// references that lead nowhere or in circles, objects that stand too deep in each other, classes that are
/// not there or cannot be read securely, and dictionaries with more keys than values.
struct ArchiveCheck {
  private let objects: [PlistValue]
  /// How many objects may stand within each other.
  private let depthLimit = 128
  /// How many objects stand within each other from an object on; zero while it is being visited.
  private var heights: [Int: Int] = [:]
  /// The positions of those that are of a class, each behind all that it refers to.
  private(set) var instances: [Int] = []

  /// Visits all objects.
  ///
  /// - Throws: What is wrong with them.
  init(_ objects: [PlistValue]) throws(ValueConversionError) {
    self.objects = objects
    for index in objects.indices { _ = try visit(index, depth: 0) }
  }

  /// Visits an object and all that it refers to.
  ///
  /// - Returns: How many objects stand within each other there.
  private mutating func visit(_ index: Int, depth: Int) throws(ValueConversionError) -> Int {
    guard depth < depthLimit else { throw tooDeep }
    if let height = heights[index] {
      guard height > 0 else { throw .malformed("an archive without circles") }
      guard depth + height <= depthLimit else { throw tooDeep }
      return height
    }
    heights[index] = 0
    var height = 1
    for reference in references(in: objects[index]) {
      guard objects.indices.contains(reference) else {
        throw .malformed("an archive with all its objects")
      }
      height = max(height, 1 + (try visit(reference, depth: depth + 1)))
    }
    heights[index] = height
    if case .dictionary(let members) = objects[index], let kind = members["$class"] {
      try check(members, as: kind)
      instances.append(index)
    }
    return height
  }

  private var tooDeep: ValueConversionError {
    .malformed("an archive of at most \(depthLimit) objects within each other")
  }

  /// The numbers of the objects that an object refers to.
  private func references(in object: PlistValue) -> [Int] {
    var references: [Int] = []
    var remaining = [object]
    while let value = remaining.popLast() {
      switch value {
      case .uid(let uid): references.append(Int(uid))
      case .array(let elements), .set(let elements): remaining += elements
      case .dictionary(let entries): remaining += entries.values
      default: break
      }
    }
    return references
  }

  // MARK: Classes

  private func check(_ members: PlistDictionary, as kind: PlistValue) throws(ValueConversionError) {
    guard case .uid(let uid) = kind, case .dictionary(let kind) = objects[Int(uid)],
      case .string(let name)? = kind["$classname"]
    else { throw .malformed("an archive in which each object has a class") }
    guard let type: AnyClass = NSClassFromString(name), KeyedArchive.canHold(type) else {
      throw .malformed("an archive of known classes with secure coding, not of \(name)")
    }
    if type is NSString.Type {
      guard case .string? = members["NS.string"] else { throw .malformed("the text of a string") }
    }
    for (name, value) in members where name.hasPrefix("NS.object.") {
      guard isObject(value) else { throw .malformed("an object for each element") }
    }
    guard let keys = elements(members["NS.keys"]), let values = elements(members["NS.objects"]),
      keys == values || !(type is NSDictionary.Type)
    else { throw .malformed("as many keys as values of a dictionary") }
  }

  /// How many objects a list of references names; nil where one of them is nil, or it is no such list.
  private func elements(_ list: PlistValue?) -> Int? {
    guard case .array(let references) = list ?? [] else { return nil }
    return references.allSatisfy(isObject) ? references.count : nil
  }

  /// Whether a value refers to an object that is not nil.
  private func isObject(_ value: PlistValue) -> Bool {
    guard case .uid(let uid) = value else { return false }
    return objects[Int(uid)] != "$null"
  }
}
