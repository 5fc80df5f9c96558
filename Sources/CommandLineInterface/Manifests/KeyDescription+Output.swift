package import Manifests
package import PropertyList

extension KeyDescription {
  /// Describes the key at a path, or the domain at the root.
  ///
  /// - Throws: An error for a path without a description, which names the likely path.
  package init(
    at path: PlistKeyPath, in manifest: PreferencesManifest, value: PlistValue? = nil,
    origin: [Fact] = []
  ) throws(CommandFailure) {
    guard !path.isRoot else {
      self.init(of: manifest)
      return
    }
    guard var key = manifest.key(at: path) else {
      throw CommandFailure(
        "no description at key path \(path.excerpt)\(Self.hint(for: path, in: manifest))")
    }
    key.isSensitive = manifest.isSecret(path)
    self.init(of: key, at: path, value: value, origin: origin)
  }

  /// The likely path, as the end of the error.
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
      return Suggestion.text(PlistKeyPath(components: meant).excerpt)
    }
    return ""
  }

  /// The object that programs read.
  package func object(in file: String) -> PlistDictionary {
    var object: PlistDictionary = ["file": .string(file), "name": .string(heading)]
    if let title { object["title"] = .string(title) }
    for fact in facts {
      if let (name, value) = fact.entry { object[name] = TypedJSON.encode(value) }
    }
    if !members.isEmpty { object["keys"] = .array(members.map { .string($0.name) }) }
    return object
  }
}

extension Session {
  package func print(_ description: KeyDescription) {
    print(description.heading.onOneLine, in: .heading)
    print(description.title.map { ": \($0.onOneLine)\n" } ?? "\n")
    for fact in description.facts where !fact.label.isEmpty {
      print("  \(fact.label): ", in: .key)
      print("\(fact.text.onOneLine)\n")
    }
    guard !description.members.isEmpty else { return }
    print("  keys:\n", in: .key)
    for (name, text) in description.members {
      print("    \(name)\(text.isEmpty ? "" : ": \(text.onOneLine)")\n")
    }
  }
}

/// Texts of a manifest for comments in property lists.
package enum ManifestComment {
  /// The comment about a key; nil if there is nothing to say.
  ///
  /// - Parameters:
  ///   - beginning: What the comment begins with.
  ///   - default: Whether it has the default.
  package static func text(
    of key: PreferencesManifest.Key, after beginning: String? = nil, withDefault: Bool = false
  ) -> String? {
    // A dictionary without a name is the domain, or an element of an array.
    let type = key.name == nil && key.type == .dictionary ? nil : key.type
    let values = key.isSensitive ? nil : key.allowedValues.map(ManifestText.alternatives)
    let suggestions = key.allowsOtherValues ? "such as " : ""
    let isRequired = key.requirement == .always || key.requirement == .nested
    let value = withDefault && !key.holdsSecret ? key.defaultValue : nil
    let limits = [
      type?.rawValue, values.map { suggestions + $0 }, ManifestText.range(of: key) ?? key.unit,
      key.format.map { "pattern \(ManifestText.excerpt($0))" },
      ManifestText.count(of: key), isRequired ? "required" : nil,
      value.map { "default \(ManifestText.text($0))" },
    ].compactMap(\.self)
    return sentences([beginning, key.title, key.description, limits.joined(separator: ", ")])
  }

  /// The parts as sentences, without what XML does not allow in comments; nil if all are empty.
  private static func sentences(_ parts: [String?]) -> String? {
    let sentences = parts.compactMap(\.self).filter { !$0.isEmpty }.map { text in
      let line = text.onOneLine
      return line.hasSuffix(".") ? line : line + "."
    }
    guard !sentences.isEmpty else { return nil }
    var comment = ""
    var last: Unicode.Scalar?
    for scalar in sentences.joined(separator: " ").unicodeScalars {
      if scalar == "-", last == "-" { comment += " " }
      comment.unicodeScalars.append(scalar)
      last = scalar
    }
    return comment
  }
}
