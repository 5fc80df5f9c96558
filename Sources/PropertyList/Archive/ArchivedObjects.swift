internal import FoundationEssentials

/// A keyed archive (NSKeyedArchiver) as a graph of objects. Classes are only names; no class is
/// instantiated. Foundation's own types are recognized by the class names and keys that their
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

  package enum Node: Sendable {
    /// A value that is not an object, or a Foundation object that is a single value: a string, a
    /// number, a date, data or null.
    case value(PlistValue)
    /// A URL or a UUID, with its class and text.
    case text(className: String, String)
    /// An object with a separate place in the graph.
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
      return .object(Object(number: number, className: nil, contents: .elements(elements)))
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
      .container(Object(number: 0, className: nil, contents: .fields(fields)))
    case .array(let elements), .set(let elements):
      .container(Object(number: 0, className: nil, contents: .elements(elements)))
    default: .value(value)
    }
  }

  private func node(of fields: PlistDictionary, _ number: UInt32) -> Node {
    guard let className = className(of: fields) else {
      return .object(Object(number: number, className: nil, contents: .fields(fields)))
    }
    if let value = fields.value(ofClass: className, lookUp: leaf) { return .value(value) }
    if let text = fields.text(ofClass: className, lookUp: leaf) {
      return .text(className: className, text)
    }
    return .object(
      Object(
        number: number, className: className,
        contents: fields.contents(ofClass: className) ?? .fields(Self.withoutClass(fields))))
  }

  /// The value of a reference to a string, a number, a date or data; nil for other values.
  private func leaf(_ value: PlistValue?) -> PlistValue? {
    guard let value else { return nil }
    guard case .uid(let number) = value else { return value }
    guard number != 0, Int(number) < objects.count else { return nil }
    switch objects[Int(number)] {
    case .dictionary(let fields):
      // Only one step, because a URL may refer to another that refers to the first.
      guard let className = className(of: fields) else { return nil }
      return fields.value(ofClass: className) { $0?.kind == .uid ? nil : $0 }
    case .array, .set, .uid: return nil
    case let leaf: return leaf
    }
  }

  private static func withoutClass(_ fields: PlistDictionary) -> PlistDictionary {
    var fields = fields
    fields.removeValue(forKey: "$class")
    return fields
  }

  private func className(of fields: PlistDictionary) -> String? {
    guard case .uid(let number)? = fields["$class"], Int(number) < objects.count,
      case .dictionary(let description) = objects[Int(number)],
      case .string(let name)? = description["$classname"]
    else { return nil }
    return name
  }

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

  /// The class of the archived object: `root`, or the first named object; nil if it has no class.
  package var rootClassName: String? {
    guard let value = top["root"] ?? top.first?.value, case .uid(let number) = value,
      Int(number) < objects.count, case .dictionary(let fields) = objects[Int(number)]
    else { return nil }
    return className(of: fields)
  }
}

/// The objects of Foundation whose archived form is known, by their classes.
extension PlistDictionary {
  /// The value that an object represents; nil if its class does not represent a value, or if its
  /// fields are not the expected ones.
  ///
  /// - Parameter lookUp: Returns the string, number, date or data that a field refers to.
  fileprivate func value(
    ofClass className: String, lookUp: (PlistValue?) -> PlistValue?
  ) -> PlistValue? {
    switch className {
    case "NSString", "NSMutableString", "__NSCFString":
      switch lookUp(self["NS.string"]) ?? lookUp(self["NS.bytes"]) {
      case .string(let text)?: .string(text)
      case .data(let bytes)?: String(validating: bytes, as: UTF8.self).map(PlistValue.string)
      default: nil
      }
    case "NSNumber": ["NS.intval", "NS.dblval", "NS.boolval"].lazy.compactMap { self[$0] }.first
    case "NSDate":
      switch lookUp(self["NS.time"]) {
      case .real(let seconds)? where seconds.isFinite:
        .date(Date(timeIntervalSinceReferenceDate: seconds))
      case .float(let seconds)? where seconds.isFinite:
        .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
      case .integer(let seconds)?: .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
      default: nil
      }
    case "NSData", "NSMutableData":
      if case .data(let data)? = lookUp(self["NS.data"] ?? self["NS.bytes"]) {
        .data(data)
      } else {
        nil
      }
    case "NSNull": .null
    default: nil
    }
  }

  /// The text that an object represents; nil as for ``value(ofClass:lookUp:)``.
  fileprivate func text(
    ofClass className: String, lookUp: (PlistValue?) -> PlistValue?
  ) -> String? {
    switch className {
    case "NSURL":
      guard case .string(let relative)? = lookUp(self["NS.relative"]) else { return nil }
      if case .uid(let base)? = self["NS.base"], base != 0 { return nil }
      return relative
    case "NSUUID":
      guard case .data(let bytes)? = lookUp(self["NS.uuidbytes"]), bytes.count == 16 else {
        return nil
      }
      let digits = bytes.map { Data([$0]).hexadecimalText.uppercased() }
      return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        .joined(separator: "-")
    default: return nil
    }
  }

  /// The parts of a collection; nil as for ``value(ofClass:lookUp:)``.
  fileprivate func contents(ofClass className: String) -> ArchivedObjects.Contents? {
    switch className {
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet",
      "NSMutableOrderedSet", "NSCountedSet":
      return elements("NS.objects", "NS.object").map { .elements($0) }
    case "NSDictionary", "NSMutableDictionary":
      guard let keys = elements("NS.keys", "NS.key"),
        let values = elements("NS.objects", "NS.object"), keys.count == values.count
      else { return nil }
      return .entries(zip(keys, values).map { (key: $0, value: $1) })
    default: return nil
    }
  }

  /// The elements in a list, or in numbered fields, as old archivers write them: `NS.object.0` and
  /// so on.
  private func elements(_ list: String, _ field: String) -> [PlistValue]? {
    if let value = self[list] {
      guard case .array(let elements) = value else { return nil }
      return elements
    }
    var elements: [PlistValue] = []
    while let element = self["\(field).\(elements.count)"] { elements.append(element) }
    // All fields except the class must be elements.
    return elements.count > 0 || count <= 1 ? elements : nil
  }
}
