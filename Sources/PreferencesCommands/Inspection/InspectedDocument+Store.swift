internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import InspectionPage
internal import Manifests
internal import Preferences
internal import PropertyList

extension InspectedDocument {
  /// The preferences of a store, as an application finds them: its layers with the states of their
  /// files, and for each key the values of all layers.
  ///
  /// - Parameters:
  ///   - name: The name of the domain.
  ///   - copies: The folder where an application keeps copies of the last good contents; nil for
  ///     none.
  ///   - manifest: The manifest of the domain; nil if there is none. Values that are secret by it are left
  ///     out.
  init(_ name: String, _ store: PreferencesStore, copies: String?, _ manifest: ManifestFile?) {
    let contents = store.layerContents.filter { $0.layer.path != nil || !$0.values.isEmpty }
    let entries = Self.entries(
      of: contents.map { manifest?.manifest.hidingSecrets(in: $0.values) ?? $0.values })
    let hiding = entries.count { $0.values.count > 1 }
    self.init(
      domain: name,
      facts: (manifest.map { [("manifest", $0.path)] } ?? []) + [
        ("keys", "\(entries.count)"), ("keys with hidden values", "\(hiding)"),
        ("files", "\(contents.count { $0.fileExists }) of \(contents.count) exist"),
        (
          "not shown", "what applications have in memory: arguments, environment, registered values"
        ),
      ],
      layers: contents.map { Layer($0, copies: copies) }, entries: entries)
    guard let manifest else { return }
    let effective = entries.compactMap { entry in entry.values.first.map { (entry.key, $0) } }
    add(
      manifest.manifest, of: PlistDictionary(effective.map { ($0, $1.value) }),
      layers: Dictionary(effective.map { ($0, $1.layer) }) { first, _ in first })
  }

  /// The keys of layers with their values, sorted by their bytes.
  private static func entries(of layers: [PlistDictionary]) -> [Entry] {
    let all = layers.enumerated().flatMap { number, values in
      values.map { (key: $0.key, layer: number, value: $0.value) }
    }
    let sorted = all.sorted { left, right in
      if left.key.utf8.elementsEqual(right.key.utf8) { return left.layer < right.layer }
      return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
    var entries: [Entry] = []
    for (key, layer, value) in sorted {
      if let last = entries.last, last.key.utf8.elementsEqual(key.utf8) {
        entries[entries.count - 1].values.append((layer, value))
      } else {
        entries.append((key, [(layer, value)]))
      }
    }
    return entries
  }
}

extension LayerContents {
  /// Whether there is something where the layer's file belongs.
  fileprivate var fileExists: Bool { layer.path.map { FileState($0) != nil } ?? false }
}

extension InspectedDocument.Layer {
  /// A layer, with the state of its file.
  fileprivate init(_ contents: LayerContents, copies: String?) {
    let layer = contents.layer
    var facts: [InspectedDocument.Fact] = [("domain", layer.domain)]
    if let path = layer.path {
      facts.append(("file", path))
      if let file = FileState(path) {
        facts += file.facts
        if let format = contents.format { facts.append(("format", format.title)) }
      } else {
        facts.append(("state", "there is no file"))
      }
      facts += Self.filesSetAside(from: path).map { ("set aside", "\($0)") }
      if let copies, layer.kind == .user {
        let copy = FileState(PreferencesStore.lastGoodCopy(of: path, in: copies))
        facts.append(("last good copy", copy.map { "\($0)" } ?? "there is none in \(copies)"))
      }
    }
    if contents.fileExists || layer.path == nil {
      facts.append(("keys", "\(contents.values.count)"))
    }
    let error = contents.problem.map { CommandFailure.lines(about: $0) } ?? []
    facts += error.dropFirst().map { ("note", $0) }
    self.init(name: DefaultsTool.title(of: layer.kind), facts: facts, error: error.first)
  }

  /// The files that ``PreferencesStore/recover()`` has moved aside, the oldest first.
  private static func filesSetAside(from path: String) -> [FileState] {
    let (folder, name) = FilePath.split(path)
    let names = try? FolderListing.files(in: folder ?? ".") { $0.hasPrefix(name + ".corrupt-") }
    return (names ?? []).sorted().compactMap {
      FileState(FilePath.joining(folder ?? ".", $0))
    }
  }
}

extension FileState: CustomStringConvertible {
  /// The path, the size and the time of the last change.
  var description: String { "\(path) (\(size) bytes, \(modified.descriptionText))" }

  /// The rows about the file.
  fileprivate var facts: [InspectedDocument.Fact] {
    var facts: [InspectedDocument.Fact] = []
    if let kind { facts.append(("state", kind)) }
    facts += [
      ("size", "\(size) bytes"), ("modified", modified.descriptionText), ("owner", owner),
      ("mode", mode),
    ]
    if !isReadable { facts.append(("state", "this user may not read it")) }
    return facts
  }
}
