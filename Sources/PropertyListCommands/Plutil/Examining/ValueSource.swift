internal import CommandLineInterface
internal import PropertyList

/// An input whose values are looked up by key path.
enum ValueSource {
  /// A property list that was read as a whole.
  case whole(PlistValue)
  /// A binary property list in a file. Only the looked-up values are read.
  case file(BinaryPlistDocument)

  func value(at path: PlistKeyPath) throws(PlistError) -> PlistValue? {
    switch self {
    case .whole(let root): root[path]
    case .file(let document): try document.value(at: path)
    }
  }

  func kind(at path: PlistKeyPath) throws(PlistError) -> PlistValue.Kind? {
    switch self {
    case .whole(let root): root[path]?.kind
    case .file(let document): try document.kind(at: path)
    }
  }

  /// The paths that a path with components `*` matches, in document order.
  func paths(matching pattern: PlistKeyPath) -> [PlistKeyPath] {
    let outer = PlistKeyPath(components: Array(pattern.components.prefix { $0 != "*" }))
    guard let value = try? value(at: outer) else { return [] }
    var matches = [(path: outer, value: value)]
    for component in pattern.components.dropFirst(outer.components.count) {
      matches = matches.flatMap { path, value in
        let keys =
          switch value {
          case _ where component != "*": [component]
          case .dictionary(let dictionary): dictionary.map(\.key)
          case .array(let elements): elements.indices.map(String.init)
          default: [String]()
          }
        return keys.compactMap { key in
          value[PlistKeyPath(components: [key])].map {
            (PlistKeyPath(components: path.components + [key]), $0)
          }
        }
      }
    }
    return matches.map(\.path)
  }

  /// How far a path without a value exists, after a semicolon; empty if its first component is
  /// missing.
  private func reason(at path: PlistKeyPath) -> String {
    for count in (0..<path.components.count).reversed().dropLast() {
      let nearest = PlistKeyPath(components: Array(path.components.prefix(count)))
      guard let kind = try? kind(at: nearest) else { continue }
      let component = PlistKeyPath(components: [path.components[count]]).excerpt
      return switch kind {
      case .dictionary: "; \(nearest.excerpt) has no key \(component)"
      case .array: "; \(nearest.excerpt) has no element \(component)"
      default: "; \(nearest.excerpt) is \(kind.withArticle)"
      }
    }
    return ""
  }

  /// The result of a lookup at the end of a path; nil after a report that there is none.
  func find<Result>(
    at path: PlistKeyPath, of input: InputFile, in session: Session,
    _ lookUp: (PlistKeyPath) throws(PlistError) -> Result?
  ) -> Result? {
    do throws(PlistError) {
      if let result = try lookUp(path) { return result }
      session.report(
        "Could not extract value, error: No value at that key path or invalid key path: "
          + path.excerpt + reason(at: path) + path.hint { try? value(at: $0) }, about: input.name)
    } catch {
      session.report("\(error)", about: input.name)
    }
    return nil
  }
}

extension InputFile {
  /// Opens the property list for lookups, or reports why it cannot.
  ///
  /// - Parameters:
  ///   - whole: Whether the whole property list will be looked up.
  ///   - warns: Whether to print its warnings if it is read as a whole.
  ///   - notes: Whether to print a note if it is embedded in another format.
  func open(whole: Bool, warns: Bool, notes: Bool = true, in session: Session) -> ValueSource? {
    // If this fails, the file has another format, is missing or is damaged. Reading it then reports
    // the problem.
    if !isStandardInput, !whole, let document = try? BinaryPlistDocument(path: operand) {
      return .file(document)
    }
    guard let document = read(in: session, isSilent: !notes) else { return nil }
    if warns { session.warn(document.warnings, about: name) }
    return .whole(document.value)
  }
}

extension PlistKeyPath {
  /// The likely path, as the end of an error about a missing value: `; did you mean …?` or empty.
  func hint(_ value: (PlistKeyPath) -> PlistValue?) -> String {
    if let meant = withDottedKey(value) ?? withNearestKey(value) {
      return Suggestion.text(meant.excerpt)
    }
    guard components.count > 2, value(PlistKeyPath(components: [components[0]])) == nil else {
      return ""
    }
    let key = PlistKeyPath(components: [components.joined(separator: ".")])
    return "; if the dots belong to the key, write \(key.excerpt)"
  }

  /// The path with adjacent components joined by dots into one key.
  private func withDottedKey(_ value: (PlistKeyPath) -> PlistValue?) -> PlistKeyPath? {
    guard let root = value(PlistKeyPath()) else { return nil }
    return Self.path(in: root, of: components[...]).map { PlistKeyPath(components: $0) }
  }

  /// The components that lead to a value. Each joins one or more of the given components.
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

  /// The path with the first missing component replaced by the most similar key.
  private func withNearestKey(_ value: (PlistKeyPath) -> PlistValue?) -> PlistKeyPath? {
    guard let (start, dictionary) = dictionaries(value).last, start < components.count,
      dictionary[components[start]] == nil,
      let key = Suggestion.nearest(to: components[start], among: dictionary.map(\.key))
    else { return nil }
    return PlistKeyPath(components: components[..<start] + [key] + components[(start + 1)...])
  }

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
