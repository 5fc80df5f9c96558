internal import PropertyList

/// Reads manifests, and records their problems.
struct ManifestReader {
  /// How deeply descriptions may be nested.
  private static let maximumDepth = 64
  /// How many descriptions a manifest may have. A binary property list can repeat parts endlessly.
  private static let maximumKeyCount = 100_000

  /// The problems found, at most 1,000.
  var problems: [ManifestProblem] { problemList.problems }

  private let problemList = ProblemList()
  private var keyCount = 0
  /// How many descriptions have been prepared to check defaults.
  private var ruleCount = 0
  /// The remaining work for checks of defaults.
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
    var properties = Properties(root, at: [], problemList)
    let domain = properties.text("pfm_domain")
    if root["pfm_domain"] == nil { properties.report(.error, "pfm_domain is missing") }
    var manifest = PreferencesManifest(
      domain: domain ?? "", title: properties.text("pfm_title"),
      description: properties.text("pfm_description"),
      keys: keys(from: &properties, namesAreNeeded: true, depth: 1))
    manifest.otherProperties = properties.rest
    return manifest
  }

  // MARK: Keys

  private mutating func keys(
    from properties: inout Properties, namesAreNeeded: Bool, depth: Int
  ) -> [PreferencesManifest.Key] {
    guard let elements = properties.array("pfm_subkeys") else { return [] }
    guard depth <= Self.maximumDepth else {
      properties.report(
        .error, "descriptions are nested in more than \(Self.maximumDepth) levels",
        at: "pfm_subkeys")
      return []
    }
    var keys: [PreferencesManifest.Key] = []
    var names: Set<ByteKey> = []
    for (index, element) in elements.enumerated() {
      let place = ["pfm_subkeys", String(index)]
      guard let description = properties.properties(of: element, at: place) else { continue }
      keyCount += 1
      guard keyCount <= Self.maximumKeyCount else {
        if keyCount == Self.maximumKeyCount + 1 {
          description.report(.error, "there are more than \(Self.maximumKeyCount) descriptions")
        }
        break
      }
      let key = key(description, depth: depth)
      if namesAreNeeded { checkName(of: key, description, &names) }
      keys.append(key)
    }
    return keys
  }

  private func checkName(
    of key: PreferencesManifest.Key, _ description: Properties, _ names: inout Set<ByteKey>
  ) {
    if let name = key.name {
      guard !names.insert(ByteKey(name)).inserted else { return }
      description.report(
        .error,
        "\(PlistKeyPath(components: [name]).excerpt) is described more than once; the first"
          + " description is used", at: "pfm_name")
    } else if description.rest["pfm_name"] == nil {
      description.report(.error, "pfm_name is missing")
    }
  }

  private mutating func key(
    _ properties: Properties, depth: Int
  ) -> PreferencesManifest.Key {
    var properties = properties
    var key = PreferencesManifest.Key(properties.text("pfm_name"))
    key.type = properties.type()
    key.title = properties.text("pfm_title")
    key.description = properties.text("pfm_description")
    key.note = properties.text("pfm_note")
    key.documentationURL = properties.text("pfm_documentation_url")
    key.unit = properties.text("pfm_value_unit")
    key.placeholder = properties.take("pfm_value_placeholder")
    // A wrong value is more likely meant to protect a secret than not.
    key.isSensitive =
      properties.boolean("pfm_sensitive") ?? (properties.take("pfm_sensitive") != nil)
    key.targets = properties.texts("pfm_targets")
    key.firstVersion = properties.text("pfm_app_min")
    key.lastVersion = properties.text("pfm_app_max")
    key.deprecatedVersion = properties.text("pfm_app_deprecated")
    key.requirement = properties.requirement()
    key.exclusions = properties.groups("pfm_exclude")
    key.conditionals = properties.groups("pfm_conditionals")
    key.subkeys = keys(
      from: &properties, namesAreNeeded: key.type == .dictionary, depth: depth + 1)
    readLimits(of: &key, from: &properties)
    readFormat(of: &key, from: &properties)
    readValues(of: &key, from: &properties)
    key.defaultValue = properties.take("pfm_default")
    checkDefault(of: key, properties)
    key.otherProperties = properties.rest
    return key
  }

  private mutating func readLimits(
    of key: inout PreferencesManifest.Key, from properties: inout Properties
  ) {
    key.minimum = properties.limit("pfm_range_min", misspelled: "pmf_range_min", of: key)
    key.maximum = properties.limit("pfm_range_max", misspelled: "pmf_range_max", of: key)
    if let minimum = key.minimum, let maximum = key.maximum,
      ValueOrder.isAscending(maximum, minimum)
    {
      properties.report(.error, "the minimum is above the maximum", at: "pfm_range_min")
    }
    key.minimumCount = properties.count("pfm_repetition_min")
    key.maximumCount = properties.count("pfm_repetition_max")
    if let minimum = key.minimumCount, let maximum = key.maximumCount, minimum > maximum {
      properties.report(.error, "the minimum is above the maximum", at: "pfm_repetition_min")
    }
  }

  private mutating func readFormat(
    of key: inout PreferencesManifest.Key, from properties: inout Properties
  ) {
    key.format = properties.text("pfm_format")
    guard let format = key.format else { return }
    switch ManifestRule.format(of: format, &formats) {
    case .none, .pattern: break
    case .malformed(let reason):
      properties.report(.error, "invalid regular expression: \(reason)", at: "pfm_format")
    case .unsupported(let reason):
      properties.report(
        .note, "values are not checked against the pattern, which uses \(reason)",
        at: "pfm_format")
    }
  }

  private mutating func readValues(
    of key: inout PreferencesManifest.Key, from properties: inout Properties
  ) {
    key.allowedValues = properties.array("pfm_range_list")
    key.allowedValueTitles = properties.texts("pfm_range_list_titles")
    key.allowsOtherValues =
      properties.boolean("pfm_range_list_allow_custom_value") ?? false
    guard let values = key.allowedValues else { return }
    let titles = key.allowedValueTitles.count
    if titles != 0, titles != values.count {
      properties.report(
        .warning, "\(values.count) values have \(titles) titles", at: "pfm_range_list_titles")
    }
    guard let kind = key.type?.kind, kind != .array, kind != .dictionary else { return }
    for (index, value) in values.enumerated() {
      let place = ["pfm_range_list", String(index)]
      if !ManifestRule.isKind(kind, value) {
        properties.reportKind(kind, not: value, at: place)
      } else if !ValueOrder.isInRange(value, key.minimum, key.maximum) {
        properties.report(.error, "the value is outside the key's range", at: place)
      }
    }
  }

  /// How many descriptions are prepared to check defaults.
  private static let maximumRuleCount = 200_000

  private mutating func checkDefault(of key: PreferencesManifest.Key, _ properties: Properties) {
    guard let value = key.defaultValue, ruleCount < Self.maximumRuleCount else { return }
    let rule = ManifestRule(key, &formats)
    ruleCount += rule.count
    var pass = ManifestPass(root: value, ManifestChecker.Options(), budget: budget)
    pass.run(rule)
    budget = pass.budget
    for finding in pass.findings where finding.severity == .error && finding.kind != .missing {
      properties.report(
        .error, "the default is not allowed: \(finding.message)",
        at: ["pfm_default"] + finding.keyPath.components)
    }
  }

}

/// What is wrong in a manifest.
private final class ProblemList {
  private static let maximumCount = 1000

  private(set) var problems: [ManifestProblem] = []

  func add(_ severity: ManifestProblem.Severity, _ message: String, at path: [String]) {
    guard problems.count < Self.maximumCount else { return }
    problems.append(
      ManifestProblem(
        keyPath: PlistKeyPath(components: path), severity: severity, message: message))
  }
}

/// The properties of a description that have not been read yet. A property is removed when it is read,
/// and stays if it is reported.
private struct Properties {
  var rest: PlistDictionary
  let path: [String]
  private let problems: ProblemList

  init(_ dictionary: PlistDictionary, at path: [String], _ problems: ProblemList) {
    (rest, self.path, self.problems) = (dictionary, path, problems)
  }

  func report(_ severity: ManifestProblem.Severity, _ message: String, at place: String...) {
    report(severity, message, at: place)
  }

  func report(_ severity: ManifestProblem.Severity, _ message: String, at place: [String]) {
    problems.add(severity, message, at: path + place)
  }

  func reportKind(_ kind: PlistValue.Kind, not value: PlistValue, at place: [String]) {
    report(.error, "expected \(kind.withArticle), not \(value.kind.withArticle)", at: place)
  }

  mutating func take(_ name: String) -> PlistValue? { rest.removeValue(forKey: name) }

  /// Removes and returns a property of a kind; nil for a missing property, and after reporting one
  /// of another kind.
  private mutating func take(_ name: String, _ kind: PlistValue.Kind) -> PlistValue? {
    guard let value = rest[name] else { return nil }
    guard value.kind == kind else {
      reportKind(kind, not: value, at: [name])
      return nil
    }
    return take(name)
  }

  mutating func text(_ name: String) -> String? {
    if case .string(let text)? = take(name, .string) { text } else { nil }
  }

  mutating func array(_ name: String) -> [PlistValue]? {
    if case .array(let elements)? = take(name, .array) { elements } else { nil }
  }

  /// A boolean, which may be written as 0 or 1.
  mutating func boolean(_ name: String) -> Bool? {
    if case .integer(let number)? = rest[name], 0...1 ~= number {
      _ = take(name)
      return number == 1
    }
    guard case .boolean(let value)? = take(name, .boolean) else { return nil }
    return value
  }

  mutating func count(_ name: String) -> Int? {
    guard let value = take(name, .integer) else { return nil }
    if case .integer(let count) = value, count >= 0 { return Int(count) }
    report(.error, "expected a number of elements", at: name)
    rest[name] = value
    return nil
  }

  mutating func texts(_ name: String) -> [String] {
    guard let elements = array(name) else { return [] }
    let texts = elements.enumerated().compactMap { index, element -> String? in
      if case .string(let text) = element { return text }
      reportKind(.string, not: element, at: [name, String(index)])
      return nil
    }
    guard texts.count < elements.count else { return texts }
    rest[name] = .array(elements)
    return []
  }

  mutating func dictionaries(_ name: String) -> [Properties] {
    (array(name) ?? []).enumerated().compactMap { index, element in
      properties(of: element, at: [name, String(index)])
    }
  }

  /// The properties of a dictionary; nil, after a report, for another value.
  func properties(of value: PlistValue, at place: [String]) -> Properties? {
    if case .dictionary(let dictionary) = value {
      return Properties(dictionary, at: path + place, problems)
    }
    reportKind(.dictionary, not: value, at: place)
    return nil
  }
}

extension Properties {
  fileprivate mutating func type() -> PreferencesManifest.Key.ValueType? {
    guard let name = text("pfm_type") else { return nil }
    if let type = PreferencesManifest.Key.ValueType(name: name) { return type }
    let names = PreferencesManifest.Key.ValueType.allCases.map(\.rawValue)
    report(.error, "unknown type\(Suggestion.text(for: name, among: names))", at: "pfm_type")
    rest["pfm_type"] = .string(name)
    return nil
  }

  fileprivate mutating func requirement() -> PreferencesManifest.Requirement? {
    let isRequired = boolean("pfm_required") ?? false
    guard let name = text("pfm_require") else { return isRequired ? .always : nil }
    if let requirement = PreferencesManifest.Requirement(rawValue: name) { return requirement }
    report(.error, "expected always, always-nested or push", at: "pfm_require")
    if isRequired { return .always }
    rest["pfm_require"] = .string(name)
    return nil
  }

  fileprivate mutating func limit(
    _ name: String, misspelled: String, of key: PreferencesManifest.Key
  ) -> PlistValue? {
    var used = name
    if rest[name] == nil, rest[misspelled] != nil {
      report(.warning, "misspelled; the name is \(name)", at: misspelled)
      used = misspelled
    }
    guard let value = take(used) else { return nil }
    let isUsable =
      switch value.kind {
      case .integer, .real: true
      case .date: key.type == .date
      default: false
      }
    if isUsable { return value }
    report(.error, "expected a number, not \(value.kind.withArticle)", at: used)
    rest[used] = value
    return nil
  }

  fileprivate mutating func groups(_ name: String) -> [PreferencesManifest.ConditionGroup] {
    dictionaries(name).map { group in
      var group = group
      let requirement = group.requirement()
      let conditions = group.dictionaries("pfm_target_conditions").map { $0.condition() }
      return PreferencesManifest.ConditionGroup(
        conditions, requirement: requirement, otherProperties: group.rest)
    }
  }

  private func condition() -> PreferencesManifest.Condition {
    var properties = self
    let target = properties.text("pfm_target")
    if target == nil, rest["pfm_target"] == nil, rest["pfm_platforms"] == nil {
      report(.error, "pfm_target is missing")
    }
    var condition = PreferencesManifest.Condition(target: PlistKeyPath(target ?? ""))
    condition.isPresent = properties.boolean("pfm_present")
    condition.isEmpty = properties.boolean("pfm_value_empty")
    condition.values = properties.array("pfm_range_list")
    condition.otherThan = properties.array("pfm_n_range_list")
    condition.containsAny = properties.array("pfm_contains_any")
    condition.containsNone = properties.array("pfm_n_contains_any")
    condition.otherProperties = properties.rest
    return condition
  }
}
