package import PropertyList

/// Errors of values that cannot be stored.
extension PreferencesError {
  static let tooDeep = PreferencesError.nestedTooDeeply(limit: PlistLimits().maximumDepth)

  /// The same error for the container that holds the value at a key or index.
  package func within(_ component: String) -> PreferencesError {
    func outer(_ place: PlistKeyPath) -> PlistKeyPath {
      PlistKeyPath(components: [component] + place.components)
    }
    return switch self {
    case .unsupportedType(let type, let place): .unsupportedType(type, at: outer(place))
    case .unsupportedKeys(let type, let place): .unsupportedKeys(type, at: outer(place))
    case .nullValue(let place): .nullValue(at: outer(place))
    case .dateIsNaN(let place): .dateIsNaN(at: outer(place))
    // The full path would have as many components as the value has levels.
    case .nestedTooDeeply(let limit, _):
      .nestedTooDeeply(limit: limit, at: PlistKeyPath(components: [component]))
    default: self
    }
  }

  /// The place of the value that cannot be stored; nil for other errors.
  package var place: PlistKeyPath? {
    switch self {
    case .unsupportedType(_, let place), .unsupportedKeys(_, let place), .nullValue(let place),
      .dateIsNaN(let place):
      place
    case .nestedTooDeeply: PlistKeyPath()
    default: nil
    }
  }

  /// Why a value cannot be stored and what to store instead, without its place.
  package var unstorableText: String {
    switch self {
    case .unsupportedType(let type, _):
      "a value of type \(type) cannot be stored in preferences; \(Self.remedy(for: type))"
    case .unsupportedKeys(let type, _):
      "a value of type \(type) cannot be stored in preferences; its keys must be strings"
    case .nullValue: "null cannot be stored in preferences; leave it out"
    case .dateIsNaN: "a date that is not a number (NaN) cannot be stored in preferences"
    case .nestedTooDeeply(let limit, _):
      "a value cannot be stored in preferences: containers are nested deeper than \(limit) levels"
    default: "\(self)"
    }
  }

  /// Advice about a value of a type that cannot be stored.
  package static func remedy(for type: String) -> String {
    switch type {
    case "NSString", "NSNumber", "NSData", "NSDate", "NSURL", "NSArray", "NSDictionary",
      "CGFloat":
      "import PreferencesFoundation, which conforms it to PlistValueConvertible"
    default: "store it as data or a string, or conform its type to PlistValueConvertible"
    }
  }
}
