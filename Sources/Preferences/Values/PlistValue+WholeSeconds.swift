internal import FoundationEssentials
internal import PropertyList

extension PlistDictionary {
  /// The values with dates rounded down to whole seconds, as XML stores them.
  var withWholeSeconds: PlistDictionary {
    PlistDictionary(map { ($0.key, $0.value.withWholeSeconds) })
  }
}

extension PlistValue {
  /// The value with dates rounded down to whole seconds, as XML stores them.
  var withWholeSeconds: PlistValue {
    switch self {
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
      return .date(.init(timeIntervalSinceReferenceDate: seconds))
    case .array(let elements):
      return .array(elements.map(\.withWholeSeconds))
    case .dictionary(let dictionary):
      return .dictionary(dictionary.withWholeSeconds)
    default:
      return self
    }
  }
}
