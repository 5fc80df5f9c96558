package import Manifests
internal import PropertyList

/// Texts of a manifest for comments in property lists.
package enum ManifestComment {
  /// The comment about a key; nil if nothing is known of it.
  ///
  /// - Parameters:
  ///   - beginning: What the comment begins with.
  ///   - default: Whether it has the default.
  package static func text(
    of key: PreferencesManifest.Key, after beginning: String? = nil, withDefault: Bool = false
  ) -> String? {
    // What has no name and is a dictionary is the domain, or an element of an array.
    let type = key.name == nil && key.type == .dictionary ? nil : key.type
    let values = key.isSensitive ? nil : key.allowedValues.map(ManifestText.alternatives)
    let suggestions = key.allowsOtherValues ? "such as " : ""
    let hasCount = key.minimumCount != nil || key.maximumCount != nil
    let isRequired = key.requirement == .always || key.requirement == .nested
    let value = withDefault && !key.holdsSecret ? key.defaultValue : nil
    let limits = [
      type?.rawValue, values.map { suggestions + $0 }, ManifestText.range(of: key) ?? key.unit,
      key.format.map { "pattern \(ManifestText.excerpt($0))" },
      hasCount ? ManifestText.count(of: key) : nil, isRequired ? "required" : nil,
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
