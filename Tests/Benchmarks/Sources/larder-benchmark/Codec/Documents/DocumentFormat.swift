import Foundation
import PropertyList

/// A format that all peers support.
enum DocumentFormat: String, CaseIterable {
  case xml, binary

  var title: String { self == .xml ? "XML" : "binary" }
  var format: PlistFormat { self == .xml ? .xml : .binary }
  var foundationFormat: PropertyListSerialization.PropertyListFormat {
    self == .xml ? .xml : .binary
  }
}
