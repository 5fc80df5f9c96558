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
    let installed = InstalledManifests()
    for input in inputs {
      guard let document = input.read(in: session, isSilent: true) else { continue }
      do {
        let manifest: PreferencesManifest
        var value: PlistValue?
        if manifests.isEmpty, PreferencesManifest.isManifest(document.value) {
          manifest = try PreferencesManifest(document.value)
        } else {
          let found =
            try manifests.isEmpty
            ? installed.manifest(for: document.value, in: input)
            : manifests.manifest(for: input, isNamed: true)
          guard let found else {
            throw CommandFailure(
              manifests.isEmpty
                ? "not a preference manifest, and none is installed for it; use --manifest to name one"
                : "there is no manifest for this domain")
          }
          manifest = found.manifest
          value = document.value[path]
        }
        let description = try KeyDescription(at: path, in: manifest, value: value)
        if invocation.has(Option.json) {
          session.print(jsonLine: description.object(in: input.name))
        } else {
          session.print(description)
        }
      } catch {
        session.report("\(error)", about: input.name)
      }
    }
  }
}
