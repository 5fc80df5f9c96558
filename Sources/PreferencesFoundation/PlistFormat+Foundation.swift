public import Foundation
public import PropertyList

extension PlistFormat {
  /// Creates the format that Foundation's serialization calls by another name.
  public init(_ format: PropertyListSerialization.PropertyListFormat) {
    self =
      switch format {
      case .xml: .xml
      case .binary: .binary
      case .openStep: .openStep
      @unknown default: preconditionFailure("an unknown property list format, \(format)")
      }
  }
}
