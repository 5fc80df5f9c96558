public import Foundation
public import Preferences
public import PropertyList

extension NSArray: PlistValueConvertible, PlistContainerConvertible {
  /// The elements as an array; nil if one of them cannot be stored.
  public var plistValue: PlistValue? { try? PlistValue(storing: self) }

  package var untypedElements: UntypedElements? { .array(Array(self)) }
}

extension NSDictionary: PlistValueConvertible, PlistContainerConvertible {
  /// The entries as a dictionary; nil if a key is not a string or a value cannot be stored.
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
