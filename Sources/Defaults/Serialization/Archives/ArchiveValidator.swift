internal import Foundation
internal import PropertyList
internal import TypedPreferences

/// Checks the objects of a keyed archive for everything that Foundation's reader traps on: dangling
/// and cyclic references, objects that are nested too deeply, classes that do not exist or cannot
/// be read securely, and dictionaries with different numbers of keys and values.
struct ArchiveValidator {
  private let objects: [PlistValue]
  /// The most levels of objects that refer to each other.
  private let depthLimit = 128
  /// The levels of objects below and including an object by its position; 0 while it is being
  /// visited.
  private var heights: [Int: Int] = [:]
  /// The positions of the instances of classes, each after all objects that it refers to.
  private(set) var instances: [Int] = []

  init(_ objects: [PlistValue]) throws(ValueConversionError) {
    self.objects = objects
    for index in objects.indices { _ = try visit(index, depth: 0) }
  }

  /// Checks an object and all that it refers to.
  ///
  /// - Returns: The number of levels of objects.
  private mutating func visit(_ index: Int, depth: Int) throws(ValueConversionError) -> Int {
    guard depth < depthLimit else { throw tooDeep }
    if let height = heights[index] {
      guard height > 0 else { throw .malformed("an archive without reference cycles") }
      guard depth + height <= depthLimit else { throw tooDeep }
      return height
    }
    heights[index] = 0
    var height = 1
    for reference in references(in: objects[index]) {
      guard objects.indices.contains(reference) else {
        throw .malformed("an archive without dangling references")
      }
      height = max(height, 1 + (try visit(reference, depth: depth + 1)))
    }
    heights[index] = height
    if case .dictionary(let members) = objects[index], let type = members["$class"] {
      try checkInstance(members, of: type)
      instances.append(index)
    }
    return height
  }

  private var tooDeep: ValueConversionError {
    .malformed("an archive of at most \(depthLimit) levels of objects")
  }

  /// The positions of the objects that an object refers to.
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

  /// Returns whether instances of a class can be archived and read: whether it supports secure
  /// coding, and has a name that archives can hold, as must its superclasses.
  static func accepts(_ type: AnyClass) -> Bool {
    guard let secure = type as? any NSSecureCoding.Type, secure.supportsSecureCoding else {
      return false
    }
    var next: AnyClass? = type
    while let type = next {
      let name = String(reflecting: type)
      guard name.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 1,
        !name.utf8.contains(where: { "<( ".utf8.contains($0) })
      else { return false }
      next = _getSuperclass(type)
    }
    return true
  }

  private func checkInstance(
    _ members: PlistDictionary, of type: PlistValue
  ) throws(ValueConversionError) {
    guard case .uid(let uid) = type, case .dictionary(let type) = objects[Int(uid)],
      case .string(let name)? = type["$classname"]
    else { throw .malformed("an archive in which every object has a class") }
    guard let type: AnyClass = NSClassFromString(name), Self.accepts(type) else {
      throw .malformed("an archive of known classes with secure coding, not of \(name)")
    }
    if type is NSString.Type {
      guard case .string? = members["NS.string"] else {
        throw .malformed("an archive in which every string object has a text")
      }
    }
    for (name, value) in members where name.hasPrefix("NS.object.") {
      guard isObject(value) else {
        throw .malformed("an archive in which every element is an object")
      }
    }
    guard let keys = objectCount(members["NS.keys"]),
      let values = objectCount(members["NS.objects"]),
      keys == values || !(type is NSDictionary.Type)
    else {
      throw .malformed("an archive in which every dictionary has as many keys as values")
    }
  }

  /// The number of objects in a list of references; nil if it is not such a list or refers to nil.
  private func objectCount(_ list: PlistValue?) -> Int? {
    guard case .array(let references) = list ?? [] else { return nil }
    return references.allSatisfy(isObject) ? references.count : nil
  }

  /// Returns whether a value refers to an object other than nil.
  private func isObject(_ value: PlistValue) -> Bool {
    guard case .uid(let uid) = value else { return false }
    return objects[Int(uid)] != "$null"
  }
}
