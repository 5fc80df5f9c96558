internal import CommandLineInterface
internal import FoundationEssentials
internal import Manifests
internal import PropertyList

/// A property list with the defaults of a manifest, as a template for editing.
struct ManifestTemplate {
  private var manifest: PreferencesManifest

  init(of manifest: PreferencesManifest) {
    self.manifest = manifest
    self.manifest.keys.removeAll(where: \.isOfEnvelope)
  }

  var value: PlistValue { .dictionary(Self.defaults(of: manifest.keys)) }

  private static func defaults(of keys: [PreferencesManifest.Key]) -> PlistDictionary {
    PlistDictionary(
      keys.compactMap { key in
        guard let name = key.name, let value = value(of: key) else { return nil }
        return (name, value)
      })
  }

  /// The default of a key, or the defaults in it; nil if there is none.
  private static func value(of key: PreferencesManifest.Key) -> PlistValue? {
    guard !key.isSensitive, key.hasName else { return nil }
    if let value = key.defaultValue, !key.holdsSecret { return value }
    guard key.type == .dictionary else { return nil }
    let defaults = defaults(of: key.subkeys)
    return defaults.isEmpty ? nil : .dictionary(defaults)
  }

  // MARK: XML

  /// The template as XML with a comment before each key, and keys without a default as comments.
  func xml(options: PlistWriteOptions) throws(PlistError) -> Data {
    var text = Self.header
    if let comment = ManifestComment.text(of: manifest.root) {
      text += "<!-- \(comment) -->\n"
    }
    text += "<dict>\n"
    try Self.append(manifest.keys, depth: 1, to: &text, options)
    return Data((text + "</dict>\n</plist>\n").utf8)
  }

  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  private static func append(
    _ keys: [PreferencesManifest.Key], depth: Int, to text: inout String,
    _ options: PlistWriteOptions
  ) throws(PlistError) {
    let indent = String(repeating: "\t", count: depth)
    var names: Set<ByteKey> = []
    for key in keys {
      guard key.hasName, let name = key.name, names.insert(ByteKey(name)).inserted else { continue }
      guard let value = value(of: key) else {
        if let comment = ManifestComment.text(of: key, after: "\(name) (no default)") {
          text += "\(indent)<!-- \(comment) -->\n"
        }
        continue
      }
      if let comment = ManifestComment.text(of: key) {
        text += "\(indent)<!-- \(comment) -->\n"
      }
      if key.defaultValue == nil || key.holdsSecret {
        text += try entry(name, [:], depth: depth, options).replacing("<dict/>", with: "<dict>")
        try append(key.subkeys, depth: depth + 1, to: &text, options)
        text += "\(indent)</dict>\n"
      } else {
        text += try entry(name, value, depth: depth, options)
      }
    }
  }

  /// The lines of an entry, indented for its number of enclosing dictionaries.
  private static func entry(
    _ name: String, _ value: PlistValue, depth: Int, _ options: PlistWriteOptions
  ) throws(PlistError) -> String {
    var root: PlistValue = [:]
    root = .dictionary([name: value])
    for _ in 1..<depth { root = .dictionary(["": root]) }
    let text = String(decoding: try Plist.write(root, as: .xml, options: options), as: UTF8.self)
    var start = text.startIndex
    for _ in 0..<depth {
      guard let tag = text[start...].firstRange(of: "<dict>\n") else { return "" }
      start = tag.upperBound
    }
    let end = (0..<depth).reduce("</plist>\n") { end, depth in
      String(repeating: "\t", count: depth) + "</dict>\n" + end
    }
    return String(text[start...].dropLast(end.count))
  }
}
