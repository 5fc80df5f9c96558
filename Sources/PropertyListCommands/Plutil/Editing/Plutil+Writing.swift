internal import CommandLineInterface
internal import FoundationEssentials
internal import Manifests
internal import PropertyList

/// The verbs that write property lists or source code.
extension Plutil {
  /// `-convert`
  static func convert(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try Output.Format(invocation.arguments[0], of: .documents)
    let isTyped = invocation.has(Option.typed)
    for var output in try Output.all(of: invocation, format: format, default: .inPlace) {
      output.input.prefersJSON = isTyped
      output.transform(silent: invocation.has(Option.silent), in: session) {
        [output] (document, data: consuming Data) in
        _ = consume data
        guard isTyped else { return try output.contents(of: document.value) }
        var value = document.value
        // Each occurrence of a shared value is visited.
        if document.format == .binary { try value.checkExpansion() }
        if document.format == .json { value = try TypedJSON.decode(value) }
        if format == .propertyList(.json) { value = TypedJSON.encode(value) }
        return try output.contents(of: value)
      }
    }
  }

  /// `-create`
  static func create(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let format = try Output.Format(invocation.arguments[0], of: .documents)
    let outputs = try Output.all(of: invocation, format: format, default: .created)
    guard let manifests = try ManifestLibrary(of: invocation, in: session) else { return }
    for output in outputs where output.checkIsFree(in: session) {
      do {
        output.write(try newContents(of: output, manifests), in: session)
      } catch {
        session.report("\(error)", about: output.input.name)
      }
    }
  }

  /// An empty dictionary, or the template of the manifest for a file.
  private static func newContents(
    of output: Output, _ manifests: ManifestLibrary
  ) throws -> Output.Contents {
    guard !manifests.isEmpty else { return try output.contents(of: [:]) }
    guard let entry = manifests.manifest(for: output.input, isNamed: true) else {
      throw CommandFailure("there is no manifest for this domain")
    }
    let template = ManifestTemplate(of: entry.manifest)
    guard output.format == .propertyList(.xml) else {
      return try output.contents(of: template.value)
    }
    return Output.Contents(data: try template.xml(options: output.options))
  }
}

/// A property list with the defaults of a manifest, to be edited.
private struct ManifestTemplate {
  private var manifest: PreferencesManifest

  init(of manifest: PreferencesManifest) {
    self.manifest = manifest
    self.manifest.keys.removeAll(where: \.isOfEnvelope)
  }

  /// The defaults, without those of sensitive keys.
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
    guard !key.isSensitive, key.name?.hasPrefix("{{") != true else { return nil }
    if let value = key.defaultValue, !key.holdsSecret { return value }
    guard key.type == .dictionary else { return nil }
    let defaults = defaults(of: key.subkeys)
    return defaults.isEmpty ? nil : .dictionary(defaults)
  }

  /// The template as XML with a comment before each key, and keys without a default as comments.
  func xml(options: PlistWriteOptions) throws(PlistError) -> Data {
    var text = Self.header
    if let comment = Self.comment([manifest.title, manifest.description]) {
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
      guard let name = key.name, !name.hasPrefix("{{"), names.insert(ByteKey(name)).inserted else {
        continue
      }
      guard let value = value(of: key) else {
        let comment = comment(["\(name) (no default)"] + parts(of: key))
        if let comment { text += "\(indent)<!-- \(comment) -->\n" }
        continue
      }
      if let comment = comment(parts(of: key)) { text += "\(indent)<!-- \(comment) -->\n" }
      if key.defaultValue == nil || key.holdsSecret {
        text += try entry(name, [:], depth: depth, options).replacing("<dict/>", with: "<dict>")
        try append(key.subkeys, depth: depth + 1, to: &text, options)
        text += "\(indent)</dict>\n"
      } else {
        text += try entry(name, value, depth: depth, options)
      }
    }
  }

  /// The lines of an entry, indented as in as many dictionaries.
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

  private static func parts(of key: PreferencesManifest.Key) -> [String?] {
    let type = key.type?.rawValue
    let values = key.isSensitive ? nil : key.allowedValues.map(ManifestText.alternatives)
    let suggestions = key.allowsOtherValues ? "such as " : ""
    let range = ManifestText.range(of: key) ?? key.unit
    let pattern = key.format.map { "pattern \(ManifestText.excerpt($0))" }
    let hasCount = key.minimumCount != nil || key.maximumCount != nil
    let count = hasCount ? ManifestText.count(of: key) : nil
    let isRequired = key.requirement == .always || key.requirement == .nested
    let limits = [
      type, values.map { suggestions + $0 }, range, pattern, count, isRequired ? "required" : nil,
    ]
    .compactMap(\.self)
    return [key.title, key.description, limits.isEmpty ? nil : limits.joined(separator: ", ")]
  }

  /// The parts as sentences, without what XML does not allow in comments.
  private static func comment(_ parts: [String?]) -> String? {
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
