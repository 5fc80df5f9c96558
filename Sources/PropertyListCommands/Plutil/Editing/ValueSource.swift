internal import CommandLineInterface
internal import PropertyList

/// An input in which values are looked up by key path.
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

  /// The paths that a path with components `*` stands for, in document order.
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

  /// How far a path without a value leads, after a semicolon; empty if its first component is missing.
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
  ///   - whole: Whether all of it is going to be looked up.
  ///   - warns: Whether to print its warnings, if it is read as a whole.
  ///   - notes: Whether to print a note if it is inside of something else.
  func open(whole: Bool, warns: Bool, notes: Bool = true, in session: Session) -> ValueSource? {
    // If this fails, the file has another format, is missing or is damaged, and reading it reports
    // that.
    if !isStandardInput, !whole, let document = try? BinaryPlistDocument(path: operand) {
      return .file(document)
    }
    guard let document = read(in: session, isSilent: !notes) else { return nil }
    if warns { session.warn(document.warnings, about: name) }
    return .whole(document.value)
  }
}
