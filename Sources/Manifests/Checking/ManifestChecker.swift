public import PropertyList

/// Checks property lists against a manifest.
///
/// Creating a checker prepares the manifest, so that each value is visited once in a check. A check
/// takes bounded time for any manifest and property list. Values that are not checked for that
/// reason are reported with a note.
public struct ManifestChecker: Sendable {
  /// The options of a check.
  public struct Options: Sendable, Hashable {
    /// Whether the property list is a payload of a configuration profile. Only then are its keys,
    /// such as `PayloadUUID`, required.
    public var isPayload = false
    /// The version of the program that reads the preferences, such as `2.1`; nil if it is not known.
    /// Without it only deprecated keys are reported.
    public var programVersion: String?
    /// The kinds of values that may be strings, because the format of the property list lacks them.
    var kindsAsText: Set<PlistValue.Kind> = []

    /// Options for a property list that was read from a format.
    ///
    /// - Parameter format: In JSON, dates and data may be strings, in OpenStep text also numbers and
    ///   booleans.
    public init(for format: PlistFormat = .binary) {
      switch format {
      case .json: kindsAsText = [.date, .data]
      case .openStep: kindsAsText = [.date, .integer, .real, .boolean]
      case .xml, .binary: break
      }
    }
  }

  /// The manifest.
  public let manifest: PreferencesManifest
  private let rule: ManifestRule
  /// The names of sensitive keys.
  private let secrets: Set<String>

  /// Prepares a manifest.
  public init(_ manifest: PreferencesManifest) {
    self.manifest = manifest
    var formats: [String: ManifestRule.Format] = [:]
    rule = ManifestRule(manifest.root, &formats)
    var secrets: Set<String> = []
    Self.collectSecrets(in: manifest.keys, &secrets)
    self.secrets = secrets
  }

  private static func collectSecrets(
    in keys: [PreferencesManifest.Key], _ secrets: inout Set<String>
  ) {
    for key in keys {
      if key.isSensitive, let name = key.name { secrets.insert(name) }
      collectSecrets(in: key.subkeys, &secrets)
    }
  }

  /// Checks the preferences of the domain, or a payload of a profile.
  ///
  /// - Returns: Up to 1,000 findings about values, in the order of the property list; findings
  ///   about missing keys of a dictionary follow the ones about its values.
  public func findings(
    in value: PlistValue, options: Options = Options()
  ) -> [ManifestFinding] {
    findings(in: value, options: options, budget: ManifestPass.Budget())
  }

  func findings(
    in value: PlistValue, options: Options = Options(), budget: ManifestPass.Budget
  ) -> [ManifestFinding] {
    var pass = ManifestPass(
      root: value, members: rule.members, secrets: secrets, options, budget: budget)
    pass.run(rule)
    return pass.findings
  }
}

/// One check of a property list.
struct ManifestPass {
  /// The remaining work before a check ends.
  struct Budget {
    /// How many pairs of a value and a rule are compared.
    var visits = 20_000_000
    /// How many instructions of patterns are visited.
    var steps = 50_000_000
  }

  private static let maximumFindingCount = 1000
  /// How many unknown keys are compared with the described ones.
  private static let maximumSuggestionCount = 100
  /// How many described keys an unknown one is compared with.
  private static let maximumCandidateCount = 2000

  private enum Component {
    case key(String)
    case index(Int)
  }

  private(set) var findings: [ManifestFinding] = []
  private let options: ManifestChecker.Options
  private let conditions: ConditionContext
  private var path: [Component] = []
  /// The length of the path of the outermost sensitive value around the current one.
  private var sensitiveDepth: Int?
  private(set) var budget: Budget
  private var suggestionCount = 0
  /// Whether the pass only determines if there are findings, so that it needs no messages.
  private var isProbing = false
  /// Whether probing has found anything wrong.
  private var hasFailed = false
  /// The rules whose patterns have been reported as not checked.
  private var uncheckedRules: Set<ObjectIdentifier> = []

  init(
    root: PlistValue, members: MemberRules? = nil, secrets: Set<String> = [],
    _ options: ManifestChecker.Options, budget: Budget = Budget()
  ) {
    (self.options, self.budget) = (options, budget)
    conditions = ConditionContext(root: root, members: members, secrets: secrets)
  }

  private var isFinished: Bool {
    hasFailed || budget.visits < 0 || findings.count >= Self.maximumFindingCount
  }

  // MARK: Findings

  private mutating func report(
    _ kind: ManifestFinding.Kind, _ severity: ManifestFinding.Severity,
    _ message: String, expected: String? = nil, allowed: [PlistValue] = [],
    nearest: String? = nil,
    member: String? = nil
  ) {
    guard !isProbing else {
      hasFailed = true
      return
    }
    guard findings.count < Self.maximumFindingCount else { return }
    let isSensitive = sensitiveDepth != nil
    var components = path.prefix(sensitiveDepth ?? path.count).map { component in
      switch component {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }
    if let member, !isSensitive { components.append(member) }
    findings.append(
      ManifestFinding(
        keyPath: PlistKeyPath(components: components), kind: kind, severity: severity,
        message: message, expected: expected, allowedValues: isSensitive ? [] : allowed,
        nearestName: isSensitive ? nil : nearest, isSensitive: isSensitive))
  }

  // MARK: Values

  mutating func run(_ rule: ManifestRule) {
    check(conditions.root, against: rule)
    if budget.visits < 0 {
      report(.unchecked, .note, "the rest is not checked, which would take too long")
    }
  }

  private mutating func check(_ value: PlistValue, against rule: ManifestRule) {
    guard !isFinished else { return }
    budget.visits -= 1
    if budget.visits < 0 { return }
    let outerDepth = sensitiveDepth
    if rule.key.isSensitive, sensitiveDepth == nil { sensitiveDepth = path.count }
    defer { sensitiveDepth = outerDepth }

    var value = value
    if let kind = rule.kind {
      guard let typed = typed(value, kind) else {
        if isProbing { return hasFailed = true }
        return report(
          .wrongType, .error, "expected \(kind.withArticle), not \(value.kind.withArticle)",
          expected: kind.withArticle)
      }
      value = typed
    }
    checkLimits(of: value, rule)
    switch value {
    case .dictionary(let dictionary):
      if let members = rule.members { check(dictionary, against: members) }
    case .array(let elements): check(elements, against: rule)
    case .string(let text): check(text, against: rule)
    default: break
    }
  }

  /// The value as a value of a kind; nil if it is of another kind.
  private func typed(_ value: PlistValue, _ kind: PlistValue.Kind) -> PlistValue? {
    if ManifestRule.isKind(kind, value) { return value }
    guard options.kindsAsText.contains(kind), case .string(let text) = value else { return nil }
    return kind == .data ? value : PlistValue(text, as: kind)
  }

  private mutating func checkLimits(of value: PlistValue, _ rule: ManifestRule) {
    if let allowed = rule.allowed, !allowed.contains(value) {
      if isProbing { return hasFailed = true }
      let expected =
        rule.key.isSensitive || sensitiveDepth != nil
        ? "one of the allowed values" : ManifestText.alternatives(allowed.values)
      report(
        .notAllowed, .error, "expected \(expected)", expected: expected, allowed: allowed.values)
    }
    let key = rule.key
    if key.minimum != nil || key.maximum != nil,
      !ValueOrder.isInRange(value, key.minimum, key.maximum),
      let expected = ManifestText.range(of: key)
    {
      report(.outOfRange, .error, "expected \(expected)", expected: expected)
    }
  }

  private mutating func check(_ text: String, against rule: ManifestRule) {
    switch rule.format {
    case .none, .malformed: break
    case .unsupported(let reason):
      if isProbing { return hasFailed = true }
      guard uncheckedRules.insert(ObjectIdentifier(rule)).inserted else { return }
      report(.unchecked, .note, "not checked against the pattern, which uses \(reason)")
    case .pattern(let pattern):
      switch pattern.match(text, steps: &budget.steps) {
      case .matches: break
      case .differs where isProbing, .unknown where isProbing: hasFailed = true
      case .differs:
        let expected = "a text that matches the pattern \(ManifestText.excerpt(rule.key.format))"
        report(.wrongFormat, .error, "expected \(expected)", expected: expected)
      case .unknown:
        guard uncheckedRules.insert(ObjectIdentifier(rule)).inserted else { return }
        report(
          .unchecked, .note, "not checked against the pattern, which would take too long")
      }
    }
  }

  // MARK: Arrays

  private mutating func check(_ elements: [PlistValue], against rule: ManifestRule) {
    let minimum = rule.key.minimumCount ?? 0
    let maximum = rule.key.maximumCount ?? .max
    if elements.count < minimum || elements.count > maximum {
      if isProbing { return hasFailed = true }
      let expected = ManifestText.count(of: rule.key) ?? ""
      report(
        .wrongCount, .error, "expected \(expected), not \(elements.count)", expected: expected)
    }
    guard !rule.elements.isEmpty else { return }
    for (index, element) in elements.enumerated() {
      if isFinished { return }
      path.append(.index(index))
      if rule.elements.count == 1 {
        check(element, against: rule.elements[0])
      } else {
        check(element, againstAnyOf: rule.elements)
      }
      path.removeLast()
    }
  }

  /// Checks against the alternative with the fewest errors.
  private mutating func check(_ value: PlistValue, againstAnyOf rules: [ManifestRule]) {
    if rules.contains(where: { fits(value, $0) }) || isFinished { return }
    if isProbing { return hasFailed = true }
    let start = findings.count
    var best: [ManifestFinding]?
    for rule in rules {
      check(value, against: rule)
      let found = Array(findings[start...])
      findings.removeSubrange(start...)
      if best.map({ Self.weight(of: found) < Self.weight(of: $0) }) ?? true { best = found }
      // Another alternative may fit.
      if budget.visits < 0 { return }
      if found.isEmpty { break }
    }
    findings += best ?? []
  }

  /// Whether a value has nothing wrong.
  private mutating func fits(_ value: PlistValue, _ rule: ManifestRule) -> Bool {
    if hasFailed { return false }
    let wasProbing = isProbing
    isProbing = true
    check(value, against: rule)
    defer { (isProbing, hasFailed) = (wasProbing, false) }
    return !hasFailed && budget.visits >= 0
  }

  private static func weight(of findings: [ManifestFinding]) -> Int {
    // An unknown key is stronger evidence against an alternative than any number of warnings.
    findings.reduce(0) { sum, finding in
      switch finding.severity {
      case .error: sum + 1000
      case .warning: sum + (finding.kind == .unknownKey ? 100 : 1)
      case .note: sum
      }
    }
  }

  // MARK: Dictionaries

  private mutating func check(_ dictionary: PlistDictionary, against members: MemberRules) {
    let isRoot = path.isEmpty
    for (name, value) in dictionary {
      if isFinished { return }
      if let rule = members[name] {
        path.append(.key(name))
        if rule.isConditional { checkUse(of: rule, in: dictionary) }
        check(value, against: rule)
        path.removeLast()
      } else if members.anyKey != nil || members.anyValue != nil {
        path.append(.key(name))
        if let rule = members.anyKey { check(.string(name), against: rule) }
        if let rule = members.anyValue { check(value, against: rule) }
        path.removeLast()
      } else if !(isRoot && ConfigurationProfile.envelopeKeys.contains(name)) {
        reportUnknown(name, among: members)
      }
    }
    for rule in members.needed {
      guard let name = rule.key.name, dictionary[name] == nil else { continue }
      let isEnvelope = isRoot && ConfigurationProfile.envelopeKeys.contains(name)
      if !isEnvelope || options.isPayload { checkNeed(of: rule, name, in: dictionary) }
    }
  }

  private mutating func reportUnknown(_ name: String, among members: MemberRules) {
    if isProbing { return hasFailed = true }
    var nearest: String?
    if suggestionCount < Self.maximumSuggestionCount {
      suggestionCount += 1
      nearest = Suggestion.nearest(
        to: name, among: Array(members.names.prefix(Self.maximumCandidateCount)))
    }
    let hint = Suggestion.text(nearest.map { PlistKeyPath(components: [$0]).excerpt })
    report(
      .unknownKey, .warning, "unknown key\(sensitiveDepth == nil ? hint : "")", nearest: nearest,
      member: name)
  }

  /// Checks whether a key that is present applies.
  private mutating func checkUse(of rule: ManifestRule, in dictionary: PlistDictionary) {
    let outerDepth = sensitiveDepth
    if rule.key.isSensitive, sensitiveDepth == nil { sensitiveDepth = path.count }
    defer { sensitiveDepth = outerDepth }
    if let group = rule.key.exclusions.first(where: { conditions.hold($0, in: dictionary) }) {
      report(
        .notApplicable, .warning, "the key does not apply when \(text(of: group))")
    }
    if let message = ProgramVersion.problem(of: rule.key, in: options.programVersion) {
      report(.version, .warning, message)
    }
  }

  private func text(of group: PreferencesManifest.ConditionGroup) -> String {
    ManifestText.text(of: group, hiding: conditions.secrets)
  }

  private mutating func checkNeed(
    of rule: ManifestRule, _ name: String, in dictionary: PlistDictionary
  ) {
    let key = rule.key
    if key.exclusions.contains(where: { conditions.hold($0, in: dictionary) }) { return }
    func needs(_ requirement: PreferencesManifest.Requirement?) -> Bool {
      requirement == .always || requirement == .nested
    }
    if needs(key.requirement) {
      return report(.missing, .error, "the required key is missing", member: name)
    }
    let group = key.conditionals.first {
      needs($0.requirement) && conditions.hold($0, in: dictionary)
    }
    if let group {
      report(
        .missing, .error, "the key is required when \(text(of: group))", member: name)
    }
  }
}

/// Versions of programs, compared by their numbers.
enum ProgramVersion {
  /// Why a program of a version does not use a key; nil if it does.
  static func problem(of key: PreferencesManifest.Key, in version: String?) -> String? {
    if let version {
      if let first = key.firstVersion, isAscending(version, first) {
        return "the key needs version \(ManifestText.excerpt(first))"
      }
      if let last = key.lastVersion, isAscending(last, version) {
        return "the key is only read up to version \(ManifestText.excerpt(last))"
      }
    }
    guard let deprecated = key.deprecatedVersion,
      version.map({ !isAscending($0, deprecated) }) ?? true
    else { return nil }
    return "the key is deprecated since version \(ManifestText.excerpt(deprecated))"
  }

  /// Whether a version precedes another. Parts that are not numbers are 0.
  static func isAscending(_ left: String, _ right: String) -> Bool {
    let (left, right) = (numbers(of: left), numbers(of: right))
    for index in 0..<max(left.count, right.count) {
      let a = index < left.count ? left[index] : 0
      let b = index < right.count ? right[index] : 0
      if a != b { return a < b }
    }
    return false
  }

  private static func numbers(of version: String) -> [Int] {
    version.prefix(100).split(separator: ".").map { part in
      Int(part.prefix { "0"..."9" ~= $0 }) ?? 0
    }
  }
}
