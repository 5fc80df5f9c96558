internal import PropertyList

/// The path of a value in the syntax of commands: `:key:key:0`.
///
/// A path with a leading colon starts at the root, any other at the working container. A component
/// is a key in a dictionary and an index in an array, where the empty component is the place after
/// the last element. `\:` is a colon within a key, and a backslash alone is the empty key.
struct PlistEntry {
  /// The entry as typed.
  let spelling: String
  /// The path from the root.
  let path: PlistKeyPath

  private init(spelling: String, path: PlistKeyPath) {
    self.spelling = spelling
    self.path = path
  }

  /// The entry of a word; nil is the working container.
  ///
  /// - Parameter current: The path of the working container.
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

  /// The entry without the colon at its end, if it denotes a container that way: `:list:`.
  func existing(in root: PlistValue) -> PlistEntry {
    guard path.components.last == "", root[path] == nil else { return self }
    let container = PlistKeyPath(components: Array(path.components.dropLast()))
    switch root[container] {
    case .dictionary, .array: return PlistEntry(spelling: spelling, path: container)
    default: return self
    }
  }
}
