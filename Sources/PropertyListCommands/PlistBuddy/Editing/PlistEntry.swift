internal import PropertyList

/// The path of a value in the syntax of commands: `:key:key:0`.
///
/// A path with a leading colon starts at the root, any other at the current entry. A component is a
/// key in a dictionary and an index in an array, where the empty component is the place after the
/// last element. `\:` is a colon within a key, and a backslash alone is the empty key.
struct PlistEntry {
  /// The entry as typed.
  let spelling: String
  /// The path from the root.
  let path: PlistKeyPath

  /// The entry of a word; nil is the current entry.
  ///
  /// - Parameter current: The path of the current entry.
  init(_ word: CommandWord?, from current: PlistKeyPath) {
    let scalars = (word?.spelling ?? "").unicodeScalars
    let isAbsolute = scalars.first == ":"
    var components: [String] = []
    var component: [Unicode.Scalar] = []
    var isEscaped = false
    for scalar in isAbsolute ? scalars.dropFirst() : scalars[...] {
      if scalar == ":", !isEscaped {
        components.append(CommandWord.unescape(component))
        component = []
      } else {
        component.append(scalar)
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    if components.isEmpty, component == ["\\"] {
      components = [""]
    } else if !components.isEmpty || !component.isEmpty {
      components.append(CommandWord.unescape(component))
    }
    spelling = word?.spelling ?? ""
    path = PlistKeyPath(components: (isAbsolute ? [] : current.components) + components)
  }
}
