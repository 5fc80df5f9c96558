internal import CommandLineInterface
internal import FoundationEssentials
internal import Manifests
internal import Preferences
internal import PropertyList

/// The values of a domain that programs find, with the files that supply them.
///
/// Of the layers that all domains share, only keys count that the domain's manifest describes.
struct DomainValues {
  let values: PlistDictionary
  /// The files, by the keys whose values they supply; nil for a layer in memory.
  private let files: [ByteKey: String?]

  init(_ store: PreferencesStore, _ manifest: PreferencesManifest? = nil) {
    let described = Set(manifest?.names.map(ByteKey.init) ?? [])
    var entries: [(String, PlistValue)] = []
    var files: [ByteKey: String?] = [:]
    for contents in store.layerContents {
      let isShared = contents.layer.domain != store.domain
      for (key, value) in contents.values {
        let name = ByteKey(key)
        guard files[name] == nil, !isShared || described.contains(name) else { continue }
        files[name] = .some(contents.layer.path)
        entries.append((key, value))
      }
    }
    values = PlistDictionary(entries)
    self.files = files
  }

  /// A finding on one line, with the file and, in text, the line of the value.
  func line(about finding: ManifestFinding, in domain: String) -> String {
    let kind = finding.severity == .error ? "" : "\(finding.severity.rawValue): "
    let file = finding.keyPath.components.first.flatMap { files[ByteKey($0)] ?? nil }
    let line = file.flatMap { Self.line(of: finding.keyPath, in: $0) }
    return "\(file ?? domain): \(kind)\(line.map { "line \($0): " } ?? "")\(finding)"
  }

  private static func line(of path: PlistKeyPath, in file: String) -> Int? {
    let file = InputFile(operand: file)
    guard let input = try? file.load() else { return nil }
    return DocumentLines(of: input, options: file.options).line(at: path)
  }
}
