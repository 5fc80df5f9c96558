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
