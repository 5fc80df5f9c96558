internal import CommandLineInterface
internal import PropertyList

/// An input in which single values are looked up.
enum ValueSource {
  /// A property list that was read as a whole.
  case whole(PlistValue)
  /// A binary property list in a file, of which no more is read than is looked up.
  case file(BinaryPlistDocument)

  /// The value at the end of a path; nil where the path leads nowhere.
  func value(at path: PlistKeyPath) throws(PlistError) -> PlistValue? {
    switch self {
    case .whole(let root): root[path]
    case .file(let document): try document.value(at: path)
    }
  }

  /// What sort of value is at the end of a path; nil where the path leads nowhere.
  func kind(at path: PlistKeyPath) throws(PlistError) -> PlistValue.Kind? {
    switch self {
    case .whole(let root): root[path]?.kind
    case .file(let document): try document.kind(at: path)
    }
  }

  /// How many elements or keys the container at the end of a path has; nil for anything else.
  func count(at path: PlistKeyPath) throws(PlistError) -> Int? {
    switch self {
    case .file(let document): return try document.count(at: path)
    case .whole(let root):
      switch root[path] {
      case .dictionary(let dictionary)?: return dictionary.count
      case .array(let elements)?, .set(let elements)?: return elements.count
      default: return nil
      }
    }
  }

  /// What a look-up finds at the end of a path; nil where a report says why there is nothing.
  func find<Result>(
    at path: PlistKeyPath, of input: InputFile, in session: Session,
    _ look: (PlistKeyPath) throws(PlistError) -> Result?
  ) -> Result? {
    do throws(PlistError) {
      if let result = try look(path) { return result }
      session.report("\(try MissingValue(at: path, in: self))", about: input.name)
    } catch {
      session.report("\(error)", about: input.name)
    }
    return nil
  }
}
