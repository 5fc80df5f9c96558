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

  /// A value of a manifest on one line, up to 200 characters.
  package static func text(_ value: PlistValue) -> String {
    switch value {
    case .dictionary, .array, .set: excerpt(value.debugDescription)
    default: excerpt(value.leafText)
    }
  }

  /// A text of a manifest on one line, up to 200 characters.
  package static func excerpt(_ text: String?) -> String {
    let line = (text ?? "").prefix(201)
    return (line.count > 200 ? line.prefix(200) + "…" : line).description.onOneLine
  }

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

  /// The number of elements of an array, such as `1 to 4 elements`.
  package static func count(of key: PreferencesManifest.Key) -> String {
    func elements(_ count: Int) -> String { "\(count) element\(count == 1 ? "" : "s")" }
    return switch (key.minimumCount, key.maximumCount) {
    case (let minimum?, let maximum?) where minimum == maximum: elements(minimum)
    case (let minimum?, let maximum?): "\(minimum) to \(elements(maximum))"
    case (let minimum?, nil): "at least \(elements(minimum))"
    case (nil, let maximum?): "at most \(elements(maximum))"
    case (nil, nil): "any number of elements"
    }
  }

  /// Conditions as `mode is "simple" and server is absent`.
  ///
  /// - Parameter secrets: The names of sensitive keys, whose values a condition that holds would tell.
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
