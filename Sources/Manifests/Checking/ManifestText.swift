package import PropertyList

/// Texts about descriptions, for messages and for people.
package enum ManifestText {
  private static let maximumValueCount = 12

  /// Values of a manifest as `"a", "b" or "c"`.
  package static func alternatives(_ values: [PlistValue]) -> String {
    let texts = values.prefix(maximumValueCount).map(text)
    guard values.count <= maximumValueCount else { return texts.joined(separator: ", ") + ", …" }
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? "nothing" }
    return texts.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The beginning of a value of a manifest on one line.
  package static func text(_ value: PlistValue) -> String {
    switch value {
    case .dictionary, .array, .set: excerpt(value.debugDescription)
    default: excerpt(value.leafText)
    }
  }

  /// The beginning of a text of a manifest on one line.
  package static func excerpt(_ text: String?) -> String { (text ?? "").excerpt }

  /// The range of a number with its unit, such as `1 to 16 columns`; nil if there is none.
  package static func range(of key: PreferencesManifest.Key) -> String? {
    let unit = key.unit.map { " \(excerpt($0))" } ?? ""
    return switch (key.minimum, key.maximum) {
    case (let minimum?, let maximum?): "\(text(minimum)) to \(text(maximum))\(unit)"
    case (let minimum?, nil): "at least \(text(minimum))\(unit)"
    case (nil, let maximum?): "at most \(text(maximum))\(unit)"
    case (nil, nil): nil
    }
  }

  /// The number of elements of an array, such as `1 to 4 elements`; nil if it has no limits.
  package static func count(of key: PreferencesManifest.Key) -> String? {
    switch (key.minimumCount, key.maximumCount) {
    case (let minimum?, let maximum?) where minimum == maximum: minimum.counted("element")
    case (let minimum?, let maximum?): "\(minimum) to \(maximum.counted("element"))"
    case (let minimum?, nil): "at least \(minimum.counted("element"))"
    case (nil, let maximum?): "at most \(maximum.counted("element"))"
    case (nil, nil): nil
    }
  }

  /// Conditions as `mode is "simple" and server is absent`.
  ///
  /// - Parameter secrets: The names of sensitive keys. A condition that holds would reveal their
  ///   values.
  package static func text(
    of group: PreferencesManifest.ConditionGroup, hiding secrets: Set<String> = []
  ) -> String {
    group.conditions.map { condition in
      condition.target.components.contains { secrets.contains($0) }
        ? "\(condition.target.excerpt) has a certain value" : text(of: condition)
    }.joined(separator: " and ")
  }

  private static func text(of condition: PreferencesManifest.Condition) -> String {
    let target = condition.target.excerpt
    var texts: [String] = []
    if let isPresent = condition.isPresent {
      texts.append("\(target) is \(isPresent ? "present" : "absent")")
    }
    if let isEmpty = condition.isEmpty {
      texts.append("\(target) is \(isEmpty ? "" : "not ")empty")
    }
    if let list = condition.values { texts.append("\(target) is \(alternatives(list))") }
    if let list = condition.otherThan { texts.append("\(target) is not \(alternatives(list))") }
    if let list = condition.containsAny { texts.append("\(target) contains \(alternatives(list))") }
    if let list = condition.containsNone {
      texts.append("\(target) does not contain \(alternatives(list))")
    }
    return texts.joined(separator: " and ")
  }
}
