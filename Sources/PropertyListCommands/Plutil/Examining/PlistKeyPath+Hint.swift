internal import CommandLineInterface
internal import PropertyList

extension PlistKeyPath {
  /// The likely path, as the end of an error about a missing value: `; did you mean …?` or empty.
  func hint(_ value: (PlistKeyPath) -> PlistValue?) -> String {
    if let meant = withDottedKey(value) ?? withNearestKey(value) {
      return "; did you mean \(meant.excerpt)?"
    }
    guard components.count > 2, value(PlistKeyPath(components: [components[0]])) == nil else {
      return ""
    }
    let key = PlistKeyPath(components: [components.joined(separator: ".")])
    return "; if the dots belong to the key, write \(key.excerpt)"
  }

  /// The path in which components next to one another are one key with dots.
  private func withDottedKey(_ value: (PlistKeyPath) -> PlistValue?) -> PlistKeyPath? {
    guard let root = value(PlistKeyPath()) else { return nil }
    return Self.path(in: root, of: components[...]).map { PlistKeyPath(components: $0) }
  }

  /// The components that lead to a value, of which each is one or more of these.
  private static func path(in value: PlistValue, of components: ArraySlice<String>) -> [String]? {
    guard !components.isEmpty else { return [] }
    for end in components.indices {
      let key = components[...end].joined(separator: ".")
      guard let next = value[PlistKeyPath(components: [key])],
        let rest = path(in: next, of: components[(end + 1)...])
      else { continue }
      return [key] + rest
    }
    return nil
  }

  /// The path in which the first component that is missing is the key that is most like it.
  private func withNearestKey(_ value: (PlistKeyPath) -> PlistValue?) -> PlistKeyPath? {
    guard let (start, dictionary) = dictionaries(value).last, start < components.count,
      dictionary[components[start]] == nil,
      let key = Suggestion.nearest(to: components[start], among: dictionary.map(\.key))
    else { return nil }
    return PlistKeyPath(components: components[..<start] + [key] + components[(start + 1)...])
  }

  /// The dictionaries along the path, each with the number of components that lead to it.
  private func dictionaries(
    _ value: (PlistKeyPath) -> PlistValue?
  ) -> [(depth: Int, PlistDictionary)] {
    components.indices.compactMap { depth in
      let outer = PlistKeyPath(components: Array(components[..<depth]))
      guard case .dictionary(let dictionary)? = value(outer) else { return nil }
      return (depth, dictionary)
    }
  }
}
