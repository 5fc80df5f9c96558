internal import Manifests
internal import Preferences
internal import PropertyList

/// Descriptions of a key for people.
extension SettableKey {
  /// The title and the description in a line; nil if there is neither.
  var summary: String? {
    let texts = [key.title, key.description].compactMap { $0?.onOneLine }.filter { !$0.isEmpty }
    if texts.isEmpty { return nil }
    return texts.map { $0.last?.isPunctuation == true ? $0 : $0 + "." }.joined(separator: " ")
  }

  /// The type, the limits, the default, and the variable in a line.
  var facts: String {
    var facts = [typeText]
    if let range = ManifestText.range(of: key) {
      facts.append(range)
    } else if let unit = key.unit {
      facts.append("in \(unit.onOneLine)")
    }
    if let format = key.format { facts.append("pattern \(ManifestText.excerpt(format))") }
    if let count = ManifestText.count(of: key) { facts.append(count) }
    if key.holdsSecret {
      facts.append("secret")
    } else {
      facts.append(key.defaultValue.map { "default \(text(of: $0))" } ?? "no default")
    }
    if let environmentVariable { facts.append("environment \(environmentVariable)") }
    return facts.joined(separator: ", ")
  }

  private var typeText: String {
    if key.allowedValues != nil, !key.isSensitive { return expectation }
    guard let type = key.type else { return key.subkeys.isEmpty ? "any type" : "dictionary" }
    if type == .array, let element = key.subkeys.first?.type {
      return "array of \(element.kind?.plural ?? "values")"
    }
    return type.rawValue
  }

  /// The origin of a key's value, such as `from the option --tab-width`.
  func originText(in store: PreferencesStore) -> String {
    let current = current(in: store)
    if current.value == nil { return "not set" }
    guard let origin = store.origin(forKey: name), current.problem == nil else {
      return "from the default"
    }
    return switch origin.layer.kind {
    case .registration: "from the default"
    case .managed: "managed by the administrator in \(origin.layer.place)"
    case .argument: "from the option \(origin.layer.source ?? "")"
    default: "from \(origin.layer.place)"
    }
  }
}
