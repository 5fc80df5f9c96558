internal import PropertyList

/// Reads manifests, and records what is wrong.
struct ManifestReader {
  /// How deeply descriptions may be nested.
  private static let maximumDepth = 64
  /// How many descriptions a manifest may have. A binary property list can repeat parts endlessly.
  private static let maximumKeyCount = 100_000
  private static let maximumProblemCount = 1000

  private(set) var problems: [ManifestProblem] = []
  private var keyCount = 0
  /// How many descriptions have been prepared to check defaults.
  private var ruleCount = 0
  /// What may still be done to check defaults.
  private var budget: ManifestPass.Budget
  private var formats: [String: ManifestRule.Format] = [:]

  init(budget: ManifestPass.Budget = ManifestPass.Budget()) {
    self.budget = budget
  }

  mutating func read(_ value: PlistValue) throws(ManifestProblem) -> PreferencesManifest {
    guard case .dictionary(let root) = value, PreferencesManifest.isManifest(value) else {
      throw ManifestProblem(
        keyPath: PlistKeyPath(), severity: .error,
        message: "not a preference manifest; expected a dictionary with pfm_domain and pfm_subkeys")
    }
    var properties = ManifestProperties(root, at: [])
    let domain = text("pfm_domain", from: &properties)
    if root["pfm_domain"] == nil { report(.error, "pfm_domain is missing", at: []) }
    var manifest = PreferencesManifest(
      domain: domain ?? "", title: text("pfm_title", from: &properties),
      description: text("pfm_description", from: &properties),
      keys: keys(from: &properties, namesAreNeeded: true, depth: 1))
    manifest.otherProperties = properties.rest
    return manifest
  }

  private mutating func report(
    _ severity: ManifestProblem.Severity, _ message: String, at path: [String]
  ) {
    guard problems.count < Self.maximumProblemCount else { return }
    problems.append(
      ManifestProblem(
        keyPath: PlistKeyPath(components: path), severity: severity, message: message))
  }

  // MARK: Keys

  private mutating func keys(
    from properties: inout ManifestProperties, namesAreNeeded: Bool, depth: Int
  ) -> [PreferencesManifest.Key] {
    let path = properties.path + ["pfm_subkeys"]
    guard let elements = array("pfm_subkeys", from: &properties) else { return [] }
    guard depth <= Self.maximumDepth else {
      report(.error, "descriptions are nested in more than \(Self.maximumDepth) levels", at: path)
      return []
    }
    var keys: [PreferencesManifest.Key] = []
    var names: Set<ByteKey> = []
    for (index, element) in elements.enumerated() {
      let path = path + [String(index)]
      guard case .dictionary(let dictionary) = element else {
        report(.error, "expected a dictionary, not \(element.kind.withArticle)", at: path)
        continue
      }
      keyCount += 1
      guard keyCount <= Self.maximumKeyCount else {
        if keyCount == Self.maximumKeyCount + 1 {
          report(.error, "there are more than \(Self.maximumKeyCount) descriptions", at: path)
        }
        break
      }
      let key = key(ManifestProperties(dictionary, at: path), depth: depth)
      if namesAreNeeded {
        checkName(of: key, in: dictionary, at: path, &names)
      }
      keys.append(key)
    }
    return keys
  }

  private mutating func checkName(
    of key: PreferencesManifest.Key, in dictionary: PlistDictionary, at path: [String],
    _ names: inout Set<ByteKey>
  ) {
    if let name = key.name {
      guard !names.insert(ByteKey(name)).inserted else { return }
      report(
        .error,
        "\(PlistKeyPath(components: [name]).excerpt) is described more than once; the first"
          + " description is used", at: path + ["pfm_name"])
    } else if dictionary["pfm_name"] == nil {
      report(.error, "pfm_name is missing", at: path)
    }
  }

  private mutating func key(
    _ properties: ManifestProperties, depth: Int
  ) -> PreferencesManifest.Key {
    var properties = properties
    var key = PreferencesManifest.Key(text("pfm_name", from: &properties))
    key.type = type(from: &properties)
    key.title = text("pfm_title", from: &properties)
    key.description = text("pfm_description", from: &properties)
    key.note = text("pfm_note", from: &properties)
    key.documentationURL = text("pfm_documentation_url", from: &properties)
    key.unit = text("pfm_value_unit", from: &properties)
    key.placeholder = properties.take("pfm_value_placeholder")
    // A wrong value is more likely to protect a secret than not to.
    key.isSensitive =
      boolean("pfm_sensitive", from: &properties) ?? (properties.take("pfm_sensitive") != nil)
    key.targets = texts("pfm_targets", from: &properties)
    key.firstVersion = text("pfm_app_min", from: &properties)
    key.lastVersion = text("pfm_app_max", from: &properties)
    key.deprecatedVersion = text("pfm_app_deprecated", from: &properties)
    key.requirement = requirement(from: &properties)
    key.exclusions = groups("pfm_exclude", from: &properties)
    key.conditionals = groups("pfm_conditionals", from: &properties)
    key.subkeys = keys(
      from: &properties, namesAreNeeded: key.type == .dictionary, depth: depth + 1)
    readLimits(of: &key, from: &properties)
    readFormat(of: &key, from: &properties)
    readValues(of: &key, from: &properties)
    key.defaultValue = properties.take("pfm_default")
    checkDefault(of: key, at: properties.path)
    key.otherProperties = properties.rest
    return key
  }

  private mutating func type(
    from properties: inout ManifestProperties
  ) -> PreferencesManifest.Key.ValueType? {
    guard let name = text("pfm_type", from: &properties) else { return nil }
    if let type = PreferencesManifest.Key.ValueType(name: name) { return type }
    let names = PreferencesManifest.Key.ValueType.allCases.map(\.rawValue)
    report(
      .error, "unknown type\(Suggestion.text(for: name, among: names))",
      at: properties.path + ["pfm_type"])
    properties.rest["pfm_type"] = .string(name)
    return nil
  }

  private mutating func requirement(
    from properties: inout ManifestProperties
  ) -> PreferencesManifest.Requirement? {
    let isRequired = boolean("pfm_required", from: &properties) ?? false
    guard let name = text("pfm_require", from: &properties) else {
      return isRequired ? .always : nil
    }
    if let requirement = PreferencesManifest.Requirement(rawValue: name) { return requirement }
    report(
      .error, "expected always, always-nested or push", at: properties.path + ["pfm_require"])
    if isRequired { return .always }
    properties.rest["pfm_require"] = .string(name)
    return nil
  }

  private mutating func readLimits(
    of key: inout PreferencesManifest.Key, from properties: inout ManifestProperties
  ) {
    key.minimum = limit("pfm_range_min", misspelled: "pmf_range_min", of: key, &properties)
    key.maximum = limit("pfm_range_max", misspelled: "pmf_range_max", of: key, &properties)
    if let minimum = key.minimum, let maximum = key.maximum,
      ValueOrder.isAscending(maximum, minimum)
    {
      report(
        .error, "the minimum is above the maximum", at: properties.path + ["pfm_range_min"])
    }
    key.minimumCount = count("pfm_repetition_min", from: &properties)
    key.maximumCount = count("pfm_repetition_max", from: &properties)
    if let minimum = key.minimumCount, let maximum = key.maximumCount, minimum > maximum {
      report(
        .error, "the minimum is above the maximum", at: properties.path + ["pfm_repetition_min"])
    }
  }

  private mutating func limit(
    _ name: String, misspelled: String, of key: PreferencesManifest.Key,
    _ properties: inout ManifestProperties
  ) -> PlistValue? {
    var used = name
    if properties.rest[name] == nil, properties.rest[misspelled] != nil {
      report(.warning, "misspelled; the name is \(name)", at: properties.path + [misspelled])
      used = misspelled
    }
    guard let value = properties.take(used) else { return nil }
    let isUsable =
      switch value.kind {
      case .integer, .real: true
      case .date: key.type == .date
      default: false
      }
    if isUsable { return value }
    report(
      .error, "expected a number, not \(value.kind.withArticle)", at: properties.path + [used])
    properties.rest[used] = value
    return nil
  }

  private mutating func count(
    _ name: String, from properties: inout ManifestProperties
  ) -> Int? {
    guard let value = take(name, .integer, from: &properties) else { return nil }
    if case .integer(let count) = value, count >= 0 { return Int(count) }
    report(.error, "expected a number of elements", at: properties.path + [name])
    properties.rest[name] = value
    return nil
  }

  private mutating func readFormat(
    of key: inout PreferencesManifest.Key, from properties: inout ManifestProperties
  ) {
    key.format = text("pfm_format", from: &properties)
    guard let format = key.format else { return }
    let path = properties.path + ["pfm_format"]
    switch ManifestRule.format(of: format, &formats) {
    case .none, .pattern: break
    case .malformed(let reason): report(.error, "invalid regular expression: \(reason)", at: path)
    case .unsupported(let reason):
      report(.note, "values are not checked against the pattern, which uses \(reason)", at: path)
    }
  }

  private mutating func readValues(
    of key: inout PreferencesManifest.Key, from properties: inout ManifestProperties
  ) {
    key.allowedValues = array("pfm_range_list", from: &properties)
    key.allowedValueTitles = texts("pfm_range_list_titles", from: &properties)
    key.allowsOtherValues =
      boolean("pfm_range_list_allow_custom_value", from: &properties) ?? false
    guard let values = key.allowedValues else { return }
    let titles = key.allowedValueTitles.count
    if titles != 0, titles != values.count {
      report(
        .warning, "\(values.count) values have \(titles) titles",
        at: properties.path + ["pfm_range_list_titles"])
    }
    guard let kind = key.type?.kind, kind != .array, kind != .dictionary else { return }
    for (index, value) in values.enumerated() {
      let path = properties.path + ["pfm_range_list", String(index)]
      if !ManifestRule.isKind(kind, value) {
        report(
          .error, "expected \(kind.withArticle), not \(value.kind.withArticle)", at: path)
      } else if !ValueOrder.isInRange(value, key.minimum, key.maximum) {
        report(.error, "the value is outside the key's range", at: path)
      }
    }
  }

  /// How many descriptions are prepared to check defaults.
  private static let maximumRuleCount = 200_000

  private mutating func checkDefault(of key: PreferencesManifest.Key, at path: [String]) {
    guard let value = key.defaultValue, ruleCount < Self.maximumRuleCount else { return }
    let rule = ManifestRule(key, &formats)
    ruleCount += rule.count
    var pass = ManifestPass(root: value, ManifestChecker.Options(), budget: budget)
    pass.run(rule)
    budget = pass.budget
    for finding in pass.findings where finding.severity == .error && finding.kind != .missing {
      report(
        .error, "the default is not allowed: \(finding.message)",
        at: path + ["pfm_default"] + finding.keyPath.components)
    }
  }

  // MARK: Conditions

  private mutating func groups(
    _ name: String, from properties: inout ManifestProperties
  ) -> [PreferencesManifest.ConditionGroup] {
    dictionaries(name, from: &properties).map { group in
      var group = group
      let requirement = requirement(from: &group)
      let conditions = dictionaries("pfm_target_conditions", from: &group).map { condition($0) }
      return PreferencesManifest.ConditionGroup(
        conditions, requirement: requirement, otherProperties: group.rest)
    }
  }

  private mutating func condition(
    _ properties: ManifestProperties
  ) -> PreferencesManifest.Condition {
    var properties = properties
    let target = text("pfm_target", from: &properties)
    if target == nil, properties.rest["pfm_target"] == nil, properties.rest["pfm_platforms"] == nil
    {
      report(.error, "pfm_target is missing", at: properties.path)
    }
    var condition = PreferencesManifest.Condition(target: PlistKeyPath(target ?? ""))
    condition.isPresent = boolean("pfm_present", from: &properties)
    condition.isEmpty = boolean("pfm_value_empty", from: &properties)
    condition.values = array("pfm_range_list", from: &properties)
    condition.otherThan = array("pfm_n_range_list", from: &properties)
    condition.containsAny = array("pfm_contains_any", from: &properties)
    condition.containsNone = array("pfm_n_contains_any", from: &properties)
    condition.otherProperties = properties.rest
    return condition
  }

  // MARK: Properties

  /// Removes and returns a property of a kind; nil, after reporting one of another kind, which stays.
  private mutating func take(
    _ name: String, _ kind: PlistValue.Kind, from properties: inout ManifestProperties
  ) -> PlistValue? {
    guard let value = properties.rest[name] else { return nil }
    guard value.kind == kind else {
      report(
        .error, "expected \(kind.withArticle), not \(value.kind.withArticle)",
        at: properties.path + [name])
      return nil
    }
    return properties.take(name)
  }

  private mutating func text(
    _ name: String, from properties: inout ManifestProperties
  ) -> String? {
    if case .string(let text)? = take(name, .string, from: &properties) { text } else { nil }
  }

  private mutating func array(
    _ name: String, from properties: inout ManifestProperties
  ) -> [PlistValue]? {
    if case .array(let elements)? = take(name, .array, from: &properties) { elements } else { nil }
  }

  /// A boolean, also one that is written as 0 or 1.
  private mutating func boolean(
    _ name: String, from properties: inout ManifestProperties
  ) -> Bool? {
    if case .integer(let number)? = properties.rest[name], 0...1 ~= number {
      _ = properties.take(name)
      return number == 1
    }
    guard case .boolean(let value)? = take(name, .boolean, from: &properties) else { return nil }
    return value
  }

  private mutating func texts(
    _ name: String, from properties: inout ManifestProperties
  ) -> [String] {
    var texts: [String] = []
    guard let elements = array(name, from: &properties) else { return [] }
    for (index, element) in elements.enumerated() {
      if case .string(let text) = element {
        texts.append(text)
      } else {
        report(
          .error, "expected a string, not \(element.kind.withArticle)",
          at: properties.path + [name, String(index)])
      }
    }
    guard texts.count < elements.count else { return texts }
    properties.rest[name] = .array(elements)
    return []
  }

  private mutating func dictionaries(
    _ name: String, from properties: inout ManifestProperties
  ) -> [ManifestProperties] {
    var dictionaries: [ManifestProperties] = []
    guard let elements = array(name, from: &properties) else { return [] }
    for (index, element) in elements.enumerated() {
      let path = properties.path + [name, String(index)]
      if case .dictionary(let dictionary) = element {
        dictionaries.append(ManifestProperties(dictionary, at: path))
      } else {
        report(.error, "expected a dictionary, not \(element.kind.withArticle)", at: path)
      }
    }
    return dictionaries
  }
}

/// The properties of a description that have not been read yet.
struct ManifestProperties {
  var rest: PlistDictionary
  let path: [String]

  init(_ dictionary: PlistDictionary, at path: [String]) {
    (rest, self.path) = (dictionary, path)
  }

  mutating func take(_ name: String) -> PlistValue? { rest.removeValue(forKey: name) }
}
