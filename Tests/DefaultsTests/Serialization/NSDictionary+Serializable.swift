public import Defaults
public import Foundation

extension NSDictionary: Defaults.Serializable {
  /// Whether property lists have the type: they do.
  public static var isNativelySupportedType: Bool { true }
}
