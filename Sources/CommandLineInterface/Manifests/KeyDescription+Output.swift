package import Manifests
package import PropertyList

extension KeyDescription {
  /// Describes the key at a path, or the domain at the root.
  ///
  /// - Parameters:
  ///   - value: The current value, if any.
  ///   - origin: What else is known of the current value.
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
      return "; did you mean \(PlistKeyPath(components: meant).excerpt)?"
    }
    return ""
  }

  /// The object for programs.
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
  /// Prints a description for people.
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
