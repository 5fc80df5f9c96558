internal import CommandLineInterface
internal import PropertyList

/// The path of a value in the syntax of commands: `:key:key:0`. A path with a leading colon starts
/// at the root, any other at the working container. A component is a key in a dictionary and an
/// index in an array, where the empty component is the place after the last element. `\:` is a
/// colon within a key, and a single backslash is the empty key.
struct PlistEntry {
  /// The entry as typed.
  let spelling: String
  let path: PlistKeyPath

  private init(spelling: String, path: PlistKeyPath) {
    (self.spelling, self.path) = (spelling, path)
  }

  /// The entry of a word, seen from the working container; nil is that container.
  init(_ word: CommandWord?, from current: PlistKeyPath) {
    let scalars = (word?.spelling ?? "").unicodeScalars
    let isAbsolute = scalars.first == ":"
    var components: [String] = []
    var component: [Unicode.Scalar] = []
    var isEscaped = false
    for scalar in isAbsolute ? scalars.dropFirst() : scalars[...] {
      if scalar == ":", !isEscaped {
        components.append(CommandWord.key(component))
        component = []
      } else {
        component.append(scalar)
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    if components.isEmpty, component == ["\\"] {
      components = [""]
    } else if !components.isEmpty || !component.isEmpty {
      components.append(CommandWord.key(component))
    }
    spelling = word?.spelling ?? ""
    path = PlistKeyPath(components: (isAbsolute ? [] : current.components) + components)
  }

  /// The entry without a trailing colon that only denotes a container: `:list:`.
  func existing(in root: PlistValue) -> PlistEntry {
    guard path.components.last == "", root[path] == nil else { return self }
    let container = PlistKeyPath(components: Array(path.components.dropLast()))
    switch root[container] {
    case .dictionary, .array: return PlistEntry(spelling: spelling, path: container)
    default: return self
    }
  }
}

/// The edits of commands, within the limits of documents. If an edit throws, the value is
/// unchanged.
extension PlistValue {
  /// Inserts a value at an entry, and dictionaries for all missing containers on the path.
  ///
  /// In an array the value is inserted before the element of the index, or at the end if the
  /// component is empty or there are fewer elements. The path of the root also denotes the end if
  /// the root is an array.
  ///
  /// - Returns: The path of the inserted key or element.
  mutating func insert(
    _ value: PlistValue, atEntry path: PlistKeyPath
  ) throws(EntryError) -> PlistKeyPath {
    var path = path
    if path.isRoot {
      guard case .array(let elements) = self else { throw .edit(.alreadyExists) }
      path = PlistKeyPath(components: [String(elements.count)])
    }
    try value.checkLimits(at: path)
    let place = try insertionPath(for: path)
    let missing = path.components[place.components.count...]
    guard !missing.contains("") else { throw .emptyKey }
    let inserted = missing.reversed().reduce(value) { .dictionary([$1: $0]) }
    do { try insert(inserted, at: place) } catch { throw .edit(error.kind) }
    return place
  }

  /// The path up to the first component without a value. A component that denotes the end of an
  /// array is replaced by its index.
  private func insertionPath(for path: PlistKeyPath) throws(EntryError) -> PlistKeyPath {
    var components: [String] = []
    var container = self
    for component in path.components.dropLast() {
      guard let next = container[PlistKeyPath(components: [component])] else { break }
      container = next
      components.append(component)
    }
    var component = path.components[components.count]
    switch container {
    case .array(let elements):
      let isIndex = component.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      if isIndex, Int(component).map({ $0 > elements.count }) ?? true {
        component = String(elements.count)
      }
    case .dictionary:
      guard !component.isEmpty else { throw .emptyKey }
    default: throw .edit(.notAContainer(container.kind))
    }
    return PlistKeyPath(components: components + [component])
  }

  /// Checks that the value at a path would not exceed the nesting and the number of values that
  /// documents may have. The number must be checked because each copy of a container into itself
  /// doubles it.
  func checkLimits(at path: PlistKeyPath) throws(EntryError) {
    do throws(PlistError.Kind) {
      try PlistLimits().check(self, at: path.components.count)
    } catch { throw .edit(.unwritable(error)) }
  }
}

/// The reason why a command fails at an entry.
enum EntryError: Error {
  case edit(PlistEditError.Kind)
  /// The entry is neither a dictionary nor an array.
  case notAContainer
  /// The key is empty. Only in an array is an empty component allowed; it denotes the end.
  case emptyKey
}

extension CommandFailure {
  init(_ command: String, _ entry: PlistEntry, _ error: EntryError) {
    let name = "\"\(entry.spelling)\""
    let problem =
      switch error {
      case .edit(.missing): "Entry, \(name), Does Not Exist"
      case .edit(.alreadyExists): "\(name) Entry Already Exists"
      case .edit(.notAContainer), .edit(.notAnArray): "Can't Add Entry, \(name), to Parent"
      case .edit(.notAnIndex): "Entry, \(name), Is Not an Array Index"
      case .edit(.root): "Entry, \(name), Is the Root; Use Clear to Empty It"
      case .edit(.unwritable(.tooDeep(let limit))):
        "Entry, \(name), Would Be Nested Deeper Than \(limit) Levels"
      case .edit(.unwritable(.tooManyNodes(let limit))):
        "Entry, \(name), Would Contain More Than \(limit) Values"
      case .edit(.unwritable(let kind)): "Entry, \(name), Cannot Be Written: \(kind)"
      case .notAContainer: "Entry, \(name), Is Not A Container"
      case .emptyKey: "Entry, \(name), Has No Key After Its Last Colon"
      }
    self.init("\(command): \(problem)")
  }
}
