internal import FoundationEssentials

/// A class of Foundation whose archived form is known.
enum FoundationType {
  case string
  case number
  case date
  case data
  case null
  case url
  case uuid
  case collection
  case dictionary

  /// The class of a name; nil for others.
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
    case .number:
      ["NS.intval", "NS.dblval", "NS.boolval"].lazy.compactMap { fields[$0] }.first
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
    case .collection:
      return Self.elements("NS.objects", "NS.object", fields).map { .elements($0) }
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
