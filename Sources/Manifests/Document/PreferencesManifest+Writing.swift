public import PropertyList

extension PreferencesManifest {
  /// The manifest as a property list, with the properties that are not interpreted.
  public var propertyList: PlistValue {
    var properties: PlistDictionary = [:]
    if otherProperties["pfm_domain"] == nil { properties["pfm_domain"] = .string(domain) }
    properties["pfm_title"] = title.map { .string($0) }
    properties["pfm_description"] = description.map { .string($0) }
    if otherProperties["pfm_format_version"] == nil { properties["pfm_format_version"] = 1 }
    properties.add(otherProperties)
    properties["pfm_subkeys"] = .array(keys.map { .dictionary($0.properties) })
    return .dictionary(properties)
  }
}

extension PreferencesManifest.Key {
  fileprivate var properties: PlistDictionary {
    var properties: PlistDictionary = [:]
    properties.set("pfm_name", name)
    properties.set("pfm_type", type?.rawValue)
    properties.set("pfm_title", title)
    properties.set("pfm_description", description)
    properties.set("pfm_note", note)
    properties.set("pfm_documentation_url", documentationURL)
    properties["pfm_default"] = defaultValue
    properties["pfm_value_placeholder"] = placeholder
    properties.set("pfm_value_unit", unit)
    properties["pfm_range_list"] = allowedValues.map { .array($0) }
    properties.set("pfm_range_list_titles", allowedValueTitles)
    if allowsOtherValues { properties["pfm_range_list_allow_custom_value"] = true }
    properties["pfm_range_min"] = minimum
    properties["pfm_range_max"] = maximum
    properties.set("pfm_format", format)
    properties["pfm_repetition_min"] = minimumCount.map { .integer(Int64($0)) }
    properties["pfm_repetition_max"] = maximumCount.map { .integer(Int64($0)) }
    properties.set("pfm_require", requirement?.rawValue)
    properties.set("pfm_exclude", exclusions)
    properties.set("pfm_conditionals", conditionals)
    properties.set("pfm_targets", targets)
    if isSensitive { properties["pfm_sensitive"] = true }
    properties.set("pfm_app_min", firstVersion)
    properties.set("pfm_app_max", lastVersion)
    properties.set("pfm_app_deprecated", deprecatedVersion)
    properties.add(otherProperties)
    if !subkeys.isEmpty {
      properties["pfm_subkeys"] = .array(subkeys.map { .dictionary($0.properties) })
    }
    return properties
  }
}

extension PreferencesManifest.Condition {
  fileprivate var properties: PlistDictionary {
    var properties: PlistDictionary = [:]
    if !target.isRoot { properties["pfm_target"] = .string("\(target)") }
    properties["pfm_present"] = isPresent.map { .boolean($0) }
    properties["pfm_value_empty"] = isEmpty.map { .boolean($0) }
    properties["pfm_range_list"] = values.map { .array($0) }
    properties["pfm_n_range_list"] = otherThan.map { .array($0) }
    properties["pfm_contains_any"] = containsAny.map { .array($0) }
    properties["pfm_n_contains_any"] = containsNone.map { .array($0) }
    properties.add(otherProperties)
    return properties
  }
}

extension PlistDictionary {
  fileprivate mutating func set(_ name: String, _ text: String?) {
    if let text { self[name] = .string(text) }
  }

  fileprivate mutating func set(_ name: String, _ texts: [String]) {
    if !texts.isEmpty { self[name] = .array(texts.map { .string($0) }) }
  }

  fileprivate mutating func set(_ name: String, _ groups: [PreferencesManifest.ConditionGroup]) {
    guard !groups.isEmpty else { return }
    self[name] = .array(
      groups.map { group in
        var properties: PlistDictionary = [:]
        properties.set("pfm_require", group.requirement?.rawValue)
        properties["pfm_target_conditions"] = .array(
          group.conditions.map { .dictionary($0.properties) })
        properties.add(group.otherProperties)
        return .dictionary(properties)
      })
  }

  /// Adds the properties whose names are not used yet.
  fileprivate mutating func add(_ others: PlistDictionary) {
    for (name, value) in others where self[name] == nil { self[name] = value }
  }
}
