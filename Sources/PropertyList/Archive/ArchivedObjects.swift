internal import FoundationEssentials

/// A keyed archive (NSKeyedArchiver) as the graph of objects that it stands for. Classes are names;
/// none is instantiated. Foundation's own types are told by the class names and keys that their
/// coders use.
package struct ArchivedObjects: Sendable {
  private let objects: [PlistValue]
  /// The named objects at the top of the graph.
  package let top: PlistDictionary

  package init?(_ root: PlistValue) {
    guard case .dictionary(let dictionary) = root,
      case .string(let archiver)? = dictionary["$archiver"], archiver.hasSuffix("KeyedArchiver"),
      case .array(let objects)? = dictionary["$objects"],
      case .dictionary(let top)? = dictionary["$top"]
    else { return nil }
    (self.objects, self.top) = (objects, top)
  }

  /// The meaning of a value of the archive.
  package enum Node: Sendable {
    /// A value that is not an object, or an object of Foundation that is one value: a string, a
    /// number, a date, data or null.
    case value(PlistValue)
    /// A URL or a UUID, with its class and text.
    case text(className: String, String)
    /// An object that has a place of its own in the graph.
    case object(Object)
    /// A container that belongs to the object around it.
    case container(Object)
    /// A reference to an object that the archive does not have.
    case missing(UInt32)
  }

  package struct Object: Sendable {
    /// The number of the object in the archive; 0 for a container that is not an object.
    package let number: UInt32
    /// The name of the class; nil for a container that is not an object.
    package let className: String?
    /// The names of the class and those that it inherits from.
    package let classNames: [String]
    package let contents: Contents
  }

  package enum Contents: Sendable {
    case fields(PlistDictionary)
    case elements([PlistValue])
    case entries([(key: PlistValue, value: PlistValue)])
  }

  package func node(for value: PlistValue) -> Node {
    guard case .uid(let number) = value else { return plainNode(value) }
    guard Int(number) < objects.count else { return .missing(number) }
    let object = objects[Int(number)]
    if number == 0, object == .string("$null") { return .value(.null) }
    switch object {
    case .dictionary(let fields): return node(of: fields, number)
    case .array(let elements), .set(let elements):
      return .object(
        Object(number: number, className: nil, classNames: [], contents: .elements(elements)))
    case .uid:
      // Archivers write no references to references.
      return .missing(number)
    default: return .value(object)
    }
  }

  /// A value where a reference is expected.
  private func plainNode(_ value: PlistValue) -> Node {
    switch value {
    case .dictionary(let fields):
      .container(Object(number: 0, className: nil, classNames: [], contents: .fields(fields)))
    case .array(let elements), .set(let elements):
      .container(Object(number: 0, className: nil, classNames: [], contents: .elements(elements)))
    default: .value(value)
    }
  }

  private func node(of fields: PlistDictionary, _ number: UInt32) -> Node {
    let (className, classNames) = names(of: fields)
    guard let className else {
      return .object(
        Object(number: number, className: nil, classNames: [], contents: .fields(fields)))
    }
    let type = FoundationType(className)
    if let value = type?.value(fields, lookUp: { leaf($0) }) { return .value(value) }
    if let text = type?.text(fields, lookUp: { leaf($0) }) {
      return .text(className: className, text)
    }
    return .object(
      Object(
        number: number, className: className, classNames: classNames,
        contents: type?.contents(fields) ?? .fields(Self.withoutClass(fields))))
  }

  /// The value of a reference to a string, a number, a date or data; nil for other values.
  private func leaf(_ value: PlistValue?) -> PlistValue? {
    guard let value else { return nil }
    guard case .uid(let number) = value else { return value }
    guard number != 0, Int(number) < objects.count else { return nil }
    switch objects[Int(number)] {
    case .dictionary(let fields):
      // One step, since a URL may refer to another, and that to the first.
      guard let className = names(of: fields).0 else { return nil }
      return FoundationType(className)?.value(fields) { $0?.kind == .uid ? nil : $0 }
    case .array, .set, .uid: return nil
    case let leaf: return leaf
    }
  }

  private static func withoutClass(_ fields: PlistDictionary) -> PlistDictionary {
    var fields = fields
    fields.removeValue(forKey: "$class")
    return fields
  }

  private func names(of fields: PlistDictionary) -> (String?, [String]) {
    guard case .uid(let number)? = fields["$class"], Int(number) < objects.count,
      case .dictionary(let description) = objects[Int(number)],
      case .string(let name)? = description["$classname"]
    else { return (nil, []) }
    guard case .array(let classes)? = description["$classes"] else { return (name, []) }
    return (name, classes.compactMap { if case .string(let name) = $0 { name } else { nil } })
  }

  /// The number of references to each object, but for those to classes.
  package var referenceCounts: [UInt32: Int] {
    var counts: [UInt32: Int] = [:]
    var walk = PlistTreeWalk(.array([.dictionary(top), .array(objects)]), keyOrder: .document)
    while let event = walk.next() {
      if case .leaf(.uid(let number)) = event, walk.key != "$class" {
        counts[number, default: 0] += 1
      }
    }
    return counts
  }

  /// The class of the object that the archive was made of: that of `root`, or of the first named
  /// object; nil if it has none.
  package var rootClassName: String? {
    guard let value = top["root"] ?? top.first?.value, case .uid(let number) = value,
      Int(number) < objects.count, case .dictionary(let fields) = objects[Int(number)]
    else { return nil }
    return names(of: fields).0
  }
}

/// A class of Foundation whose archived form is known.
private enum FoundationType {
  case string
  case number
  case date
  case data
  case null
  case url
  case uuid
  case collection
  case dictionary

  init?(_ className: String) {
    switch className {
    case "NSString", "NSMutableString", "__NSCFString": self = .string
    case "NSNumber": self = .number
    case "NSDate": self = .date
    case "NSData", "NSMutableData": self = .data
    case "NSNull": self = .null
    case "NSURL": self = .url
    case "NSUUID": self = .uuid
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet",
      "NSMutableOrderedSet", "NSCountedSet":
      self = .collection
    case "NSDictionary", "NSMutableDictionary": self = .dictionary
    default: return nil
    }
  }

  /// The value that an object stands for; nil if its class is not one of a value, or its fields are
  /// not those that are expected.
  ///
  /// - Parameter lookUp: Returns the string, number, date or data that a field refers to.
  func value(_ fields: PlistDictionary, lookUp: (PlistValue?) -> PlistValue?) -> PlistValue? {
    switch self {
    case .string:
      switch lookUp(fields["NS.string"]) ?? lookUp(fields["NS.bytes"]) {
      case .string(let text)?: .string(text)
      case .data(let bytes)?: String(validating: bytes, as: UTF8.self).map(PlistValue.string)
      default: nil
      }
    case .number: ["NS.intval", "NS.dblval", "NS.boolval"].lazy.compactMap { fields[$0] }.first
    case .date:
      switch lookUp(fields["NS.time"]) {
      case .real(let seconds)? where seconds.isFinite:
        .date(Date(timeIntervalSinceReferenceDate: seconds))
      case .float(let seconds)? where seconds.isFinite:
        .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
      case .integer(let seconds)?: .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
      default: nil
      }
    case .data:
      if case .data(let data)? = lookUp(fields["NS.data"] ?? fields["NS.bytes"]) {
        .data(data)
      } else {
        nil
      }
    case .null: .null
    case .url, .uuid, .collection, .dictionary: nil
    }
  }

  /// The text that an object stands for; nil as for ``value(_:lookUp:)``.
  func text(_ fields: PlistDictionary, lookUp: (PlistValue?) -> PlistValue?) -> String? {
    switch self {
    case .url:
      guard case .string(let relative)? = lookUp(fields["NS.relative"]) else { return nil }
      if case .uid(let base)? = fields["NS.base"], base != 0 { return nil }
      return relative
    case .uuid:
      guard case .data(let bytes)? = lookUp(fields["NS.uuidbytes"]), bytes.count == 16 else {
        return nil
      }
      let digits = bytes.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
      return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        .joined(separator: "-")
    default: return nil
    }
  }

  /// The parts of a collection; nil as for ``value(_:lookUp:)``.
  func contents(_ fields: PlistDictionary) -> ArchivedObjects.Contents? {
    switch self {
    case .collection: return Self.elements("NS.objects", "NS.object", fields).map { .elements($0) }
    case .dictionary:
      guard let keys = Self.elements("NS.keys", "NS.key", fields),
        let values = Self.elements("NS.objects", "NS.object", fields), keys.count == values.count
      else { return nil }
      return .entries(zip(keys, values).map { (key: $0, value: $1) })
    default: return nil
    }
  }

  /// The elements in a list, or in fields of their own with numbers, as old archivers write them:
  /// `NS.object.0` and so on.
  private static func elements(
    _ list: String, _ field: String, _ fields: PlistDictionary
  ) -> [PlistValue]? {
    if let value = fields[list] {
      guard case .array(let elements) = value else { return nil }
      return elements
    }
    var elements: [PlistValue] = []
    while let element = fields["\(field).\(elements.count)"] { elements.append(element) }
    // All fields but the class.
    guard elements.count > 0 || fields.count <= 1 else { return nil }
    return elements
  }
}
