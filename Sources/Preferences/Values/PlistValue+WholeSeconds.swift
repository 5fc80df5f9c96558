internal import FoundationEssentials
package import PropertyList

extension PlistDictionary {
  /// The values with dates rounded down to whole seconds, as XML stores them; nil if all are whole.
  var roundedToWholeSeconds: PlistDictionary? {
    var rounding = Rounding()
    return rounding.rounded(self)
  }
}

extension PlistValue {
  /// The value with dates rounded down to whole seconds, as XML stores them.
  package var withWholeSeconds: PlistValue {
    var rounding = Rounding()
    return rounding.rounded(self) ?? self
  }
}

/// Rounds dates. Shared containers are rounded once and remain shared.
private struct Rounding {
  private var rounded = ContainerMemo<PlistValue?>()

  /// Returns nil if nothing needs rounding.
  mutating func rounded(_ value: PlistValue) -> PlistValue? {
    if let known = rounded.result(for: value) { return known }
    let result: PlistValue?
    switch value {
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      let whole = seconds.rounded(.down)
      return whole == seconds ? nil : .date(Date(timeIntervalSinceReferenceDate: whole))
    case .array(let elements):
      var new: [PlistValue]?
      for (index, element) in elements.enumerated() {
        guard let element = rounded(element) else { continue }
        if new == nil { new = elements }
        new?[index] = element
      }
      result = new.map { .array($0) }
    case .dictionary(let dictionary): result = rounded(dictionary).map { .dictionary($0) }
    default: return nil
    }
    rounded.insert(result, for: value)
    return result
  }

  mutating func rounded(_ dictionary: PlistDictionary) -> PlistDictionary? {
    var new: PlistDictionary?
    for (key, value) in dictionary {
      guard let value = rounded(value) else { continue }
      if new == nil { new = dictionary }
      new?[key] = value
    }
    return new
  }
}
