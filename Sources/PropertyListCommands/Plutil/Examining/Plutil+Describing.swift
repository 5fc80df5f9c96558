internal import CommandLineInterface
internal import Manifests
internal import PropertyList

/// `-describe`
extension Plutil {
  /// Prints what manifests tell about a key.
  static func describe(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let path = PlistKeyPath(invocation.arguments[0])
    let inputs = try InputFile.all(of: invocation)
    guard let manifests = try ManifestLibrary(of: invocation, in: session) else { return }
    for input in inputs {
      guard let document = input.read(in: session, isSilent: true) else { continue }
      let manifest: PreferencesManifest
      var value: PlistValue?
      if manifests.isEmpty {
        do throws(ManifestProblem) {
          manifest = try PreferencesManifest(document.value)
        } catch {
          session.report(
            "not a preference manifest; use --manifest to name the one for this file",
            about: input.name)
          continue
        }
      } else {
        guard let entry = manifests.manifest(for: input, isNamed: true) else {
          session.report("there is no manifest for this domain", about: input.name)
          continue
        }
        manifest = entry.manifest
        value = document.value[path]
      }
      guard let description = description(at: path, in: manifest, value) else {
        session.report(
          "no description at key path \(path.excerpt)\(hint(for: path, in: manifest))",
          about: input.name)
        continue
      }
      if invocation.has(Option.json) {
        session.print(jsonLine: description.object(in: input.name))
      } else {
        print(description, in: session)
      }
    }
  }

  private static func description(
    at path: PlistKeyPath, in manifest: PreferencesManifest, _ value: PlistValue?
  ) -> KeyDescription? {
    if path.isRoot { return KeyDescription(of: manifest) }
    guard let key = manifest.key(at: path) else { return nil }
    let isSecret = path.components.indices.contains { end in
      manifest.key(at: PlistKeyPath(components: Array(path.components[...end])))?.isSensitive
        ?? false
    }
    var described = key
    described.isSensitive = isSecret
    return KeyDescription(of: described, at: path, value: value)
  }

  /// The end of the message that there is no description.
  private static func hint(for path: PlistKeyPath, in manifest: PreferencesManifest) -> String {
    for end in path.components.indices.reversed() {
      let outer = PlistKeyPath(components: Array(path.components[..<end]))
      guard let keys = outer.isRoot ? manifest.keys : manifest.key(at: outer)?.subkeys else {
        continue
      }
      guard
        let nearest = Suggestion.nearest(to: path.components[end], among: keys.compactMap(\.name))
      else { return "" }
      let meant = outer.components + [nearest] + path.components[(end + 1)...]
      return "; did you mean \(PlistKeyPath(components: meant).excerpt)?"
    }
    return ""
  }

  private static func print(_ description: KeyDescription, in session: Session) {
    session.print(description.heading.onOneLine, in: .heading)
    session.print(description.title.map { ": \($0.onOneLine)\n" } ?? "\n")
    for fact in description.facts where !fact.label.isEmpty {
      session.print("  \(fact.label): ", in: .key)
      session.print("\(fact.text.onOneLine)\n")
    }
    guard !description.members.isEmpty else { return }
    session.print("  keys:\n", in: .key)
    for (name, text) in description.members {
      session.print("    \(name)\(text.isEmpty ? "" : ": \(text.onOneLine)")\n")
    }
  }
}

/// What `-describe` prints about a key, or about a whole domain.
private struct KeyDescription {
  struct Fact {
    let label: String
    let text: String
    /// The name and the value in JSON; nil if only people need the fact.
    let entry: (name: String, value: PlistValue)?
  }

  let heading: String
  let title: String?
  private(set) var facts: [Fact] = []
  /// The keys in the key or domain, each with its type and title.
  let members: [(name: String, text: String)]

  init(of manifest: PreferencesManifest) {
    (heading, title) = (manifest.domain, manifest.title)
    members = Self.members(manifest.keys)
    add("description", "description", manifest.description)
  }

  /// Describes a key, with its current value if there is one.
  init(of key: PreferencesManifest.Key, at path: PlistKeyPath, value: PlistValue?) {
    (heading, title) = (path.excerpt, key.title)
    members = key.type == .array ? [] : Self.members(key.subkeys)
    add("description", "description", key.description)
    addType(of: key)
    addLimits(of: key)
    addValues(of: key, value)
    addUse(of: key)
    add("note", "note", key.note)
    add("see", "documentation", key.documentationURL)
  }

  /// The object for programs.
  func object(in file: String) -> PlistDictionary {
    var object: PlistDictionary = ["file": .string(file), "name": .string(heading)]
    if let title { object["title"] = .string(title) }
    for fact in facts {
      if let (name, value) = fact.entry { object[name] = TypedJSON.encode(value) }
    }
    if !members.isEmpty { object["keys"] = .array(members.map { .string($0.name) }) }
    return object
  }

  private mutating func add(_ label: String, _ name: String, _ text: String?) {
    if let text { facts.append(Fact(label: label, text: text, entry: (name, .string(text)))) }
  }

  private mutating func addFact(
    _ label: String, _ text: String?, entry: (String, PlistValue)? = nil
  ) {
    if let text { facts.append(Fact(label: label, text: text, entry: entry)) }
  }

  /// Adds a value, or only that there is one if it is secret.
  private mutating func addValue(
    _ name: String, _ value: PlistValue?, of key: PreferencesManifest.Key
  ) {
    guard let value else { return }
    if key.holdsSecret {
      addFact(name, "secret")
    } else {
      addFact(name, ManifestText.text(value), entry: (name, value))
    }
  }

  private static func members(_ keys: [PreferencesManifest.Key]) -> [(String, String)] {
    keys.compactMap { key in
      guard let name = key.name else { return nil }
      let texts = [key.type?.rawValue, key.title].compactMap(\.self)
      return (PlistKeyPath(components: [name]).excerpt, texts.joined(separator: ", "))
    }
  }

  private mutating func addType(of key: PreferencesManifest.Key) {
    guard let type = key.type else { return }
    var text = type.rawValue
    if type == .array, let element = key.subkeys.first?.type { text += " of \(element.plural)" }
    addFact("type", text, entry: ("type", .string(type.rawValue)))
  }

  private mutating func addLimits(of key: PreferencesManifest.Key) {
    addFact("range", ManifestText.range(of: key))
    if let minimum = key.minimum { addEntry("minimum", minimum) }
    if let maximum = key.maximum { addEntry("maximum", maximum) }
    if ManifestText.range(of: key) == nil { addFact("unit", key.unit) }
    if let unit = key.unit { addEntry("unit", .string(unit)) }
    add("pattern", "pattern", key.format)
    if key.minimumCount != nil || key.maximumCount != nil {
      addFact("count", ManifestText.count(of: key))
      if let count = key.minimumCount { addEntry("minimumCount", .integer(Int64(count))) }
      if let count = key.maximumCount { addEntry("maximumCount", .integer(Int64(count))) }
    }
  }

  private mutating func addValues(of key: PreferencesManifest.Key, _ value: PlistValue?) {
    if let values = key.allowedValues {
      addFact(
        key.allowsOtherValues ? "suggested values" : "allowed values",
        key.isSensitive ? "secret" : Self.text(values, key.allowedValueTitles))
      if !key.isSensitive {
        addEntry(key.allowsOtherValues ? "suggestedValues" : "allowedValues", .array(values))
      }
    }
    addValue("default", key.defaultValue, of: key)
    addValue("example", key.placeholder, of: key)
    addValue("value", value, of: key)
    if key.isSensitive { addFact("sensitive", "yes", entry: ("sensitive", true)) }
  }

  private mutating func addUse(of key: PreferencesManifest.Key) {
    if let requirement = key.requirement {
      let text =
        switch requirement {
        case .always: "always"
        case .nested: "whenever its dictionary is present"
        case .push: "in profiles that a server pushes"
        }
      addFact("required", text, entry: ("required", .string(requirement.rawValue)))
    }
    for group in key.conditionals where group.requirement != nil && !group.conditions.isEmpty {
      addFact("required", "when \(ManifestText.text(of: group))")
    }
    for group in key.exclusions where !group.conditions.isEmpty {
      addFact("does not apply", "when \(ManifestText.text(of: group))")
    }
    if !key.targets.isEmpty {
      addFact(
        "targets", key.targets.joined(separator: ", "),
        entry: ("targets", .array(key.targets.map { .string($0) })))
    }
    add("first version", "firstVersion", key.firstVersion)
    add("last version", "lastVersion", key.lastVersion)
    add("deprecated since", "deprecatedVersion", key.deprecatedVersion)
  }

  private mutating func addEntry(_ name: String, _ value: PlistValue) {
    facts.append(Fact(label: "", text: "", entry: (name, value)))
  }

  private static func text(_ values: [PlistValue], _ titles: [String]) -> String {
    guard titles.count == values.count else { return ManifestText.alternatives(values) }
    return zip(values, titles).map { "\(ManifestText.text($0)) (\($1))" }.joined(separator: ", ")
  }
}

extension PreferencesManifest.Key.ValueType {
  fileprivate var plural: String {
    switch self {
    case .string: "strings"
    case .integer: "integers"
    case .real: "reals"
    case .boolean: "booleans"
    case .date: "dates"
    case .data: "data"
    case .array: "arrays"
    case .dictionary: "dictionaries"
    case .url: "URLs"
    case .alias: "aliases"
    case .unionPolicy: "values"
    }
  }
}
