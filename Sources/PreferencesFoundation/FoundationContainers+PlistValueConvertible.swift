public import Foundation
public import Preferences
public import PropertyList

extension NSArray: PlistValueConvertible, PlistContainerConvertible {
  /// The elements; nil where one of them cannot be stored.
  public var plistValue: PlistValue? { try? PlistValue(storing: self) }

  package var untypedElements: UntypedElements? { .array(Array(self)) }
}

extension NSDictionary: PlistValueConvertible, PlistContainerConvertible {
  /// The entries; nil where a key is no string, or a value cannot be stored.
  public var plistValue: PlistValue? { try? PlistValue(storing: self) }

  package var untypedElements: UntypedElements? {
    var entries: [String: Any] = [:]
    for (key, value) in self {
      guard let key = key as? String else { return nil }
      entries[key] = value
    }
    return .dictionary(entries)
  }
}
