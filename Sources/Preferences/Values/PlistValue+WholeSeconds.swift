internal import FoundationEssentials
internal import PropertyList

extension PlistDictionary {
  /// The values with dates rounded down to whole seconds, as XML stores them; nil if all are whole.
  var roundedToWholeSeconds: PlistDictionary? {
    var rounding = Rounding()
    return rounding.rounded(self)
  }
}

extension PlistValue {
  /// The value with dates rounded down to whole seconds, as XML stores them.
  var withWholeSeconds: PlistValue {
    var rounding = Rounding()
    return rounding.rounded(self) ?? self
  }
}

/// The rounding of all dates of a value. Containers that the value shares are rounded once and
/// remain shared.
private struct Rounding {
  private var rounded = ContainerMemo<PlistValue?>()

  /// Returns the rounded value; nil if nothing in it is to be rounded.
  mutating func rounded(_ value: PlistValue) -> PlistValue? {
    switch value {
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      let whole = seconds.rounded(.down)
      return whole == seconds ? nil : .date(Date(timeIntervalSinceReferenceDate: whole))
    case .array(let elements):
      if let known = rounded.result(for: value) { return known }
      var new: [PlistValue]?
      for (index, element) in elements.enumerated() {
        guard let element = rounded(element) else { continue }
        if new == nil { new = elements }
        new?[index] = element
      }
      let result = new.map { PlistValue.array($0) }
      rounded.insert(result, for: value)
      return result
    case .dictionary(let dictionary):
      if let known = rounded.result(for: value) { return known }
      let result = rounded(dictionary).map { PlistValue.dictionary($0) }
      rounded.insert(result, for: value)
      return result
    default:
      return nil
    }
  }

  /// Returns the rounded dictionary; nil if nothing in it is to be rounded.
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
