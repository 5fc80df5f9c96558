internal import PropertyList

/// The values that conditions refer to.
struct ConditionContext {
  let root: PlistValue
  /// The rules for the root; nil if there are none.
  let members: MemberRules?
  /// The names of sensitive keys.
  let secrets: Set<String>

  /// Whether all conditions of a group hold.
  ///
  /// - Parameter dictionary: The dictionary that contains the key with the conditions.
  func hold(
    _ group: PreferencesManifest.ConditionGroup, in dictionary: PlistDictionary
  ) -> Bool {
    !group.conditions.isEmpty && group.conditions.allSatisfy { holds($0, in: dictionary) }
  }

  private func holds(
    _ condition: PreferencesManifest.Condition, in dictionary: PlistDictionary
  ) -> Bool {
    guard condition.isDecidable else { return false }
    let value = value(of: condition.target, in: dictionary)
    if let isPresent = condition.isPresent, isPresent != (value != nil) { return false }
    if let isEmpty = condition.isEmpty, isEmpty != Self.isEmpty(value) { return false }
    if let list = condition.values, !Self.isListed(value, list) { return false }
    if let list = condition.otherThan, Self.isListed(value, list) { return false }
    if let list = condition.containsAny, !Self.isContained(value, list) { return false }
    if let list = condition.containsNone, Self.isContained(value, list) { return false }
    return true
  }

  private func value(of path: PlistKeyPath, in dictionary: PlistDictionary) -> PlistValue? {
    let components = path.components
    guard let first = components.first, let last = components.last else { return nil }
    guard members?[first] != nil else { return PlistValue.dictionary(dictionary)[path] }
    if let value = root[path] { return value }
    // A path through an array leads to a neighbor in the same element.
    return components.count > 1 ? dictionary[last] : nil
  }

  private static func isEmpty(_ value: PlistValue?) -> Bool {
    switch value {
    case nil: true
    case .string(let text)?: text.isEmpty
    case .array(let elements)?: elements.isEmpty
    case .dictionary(let dictionary)?: dictionary.isEmpty
    case .data(let data)?: data.isEmpty
    default: false
    }
  }

  private static func isListed(_ value: PlistValue?, _ list: [PlistValue]) -> Bool {
    guard let value else { return false }
    let normalized = ValueOrder.normalized(value)
    return list.contains { ValueOrder.normalized($0) == normalized }
  }

  private static func isContained(_ value: PlistValue?, _ list: [PlistValue]) -> Bool {
    guard case .array(let elements)? = value else { return isListed(value, list) }
    return elements.contains { isListed($0, list) }
  }
}

extension PreferencesManifest.Condition {
  /// Whether a check can decide the condition.
  var isDecidable: Bool {
    let others = ["pfm_domain", "pfm_platforms"]
    let isTested =
      isPresent != nil || isEmpty != nil || values != nil || otherThan != nil || containsAny != nil
      || containsNone != nil
    return isTested && !target.isRoot && others.allSatisfy { otherProperties[$0] == nil }
  }
}
