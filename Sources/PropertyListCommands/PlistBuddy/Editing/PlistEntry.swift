internal import PropertyList

/// A place in a property list, as commands name it: `:key:key:0`.
///
/// A colon at the beginning leads from the root, its absence from the current entry. A part names a
/// key where it meets a dictionary and an index where it meets an array, where the empty part is the
/// place behind the last element. `\:` is a colon within a key, and a backslash alone the empty key.
struct PlistEntry {
  /// The entry as it was typed.
  let spelling: String
  /// The keys and indices, from the root down.
  let components: [String]

  /// The entry that a word names.
  ///
  /// - Parameter current: The keys and indices of the current entry.
  init(_ word: CommandWord?, from current: [String]) {
    let scalars = (word?.spelling ?? "").unicodeScalars
    let isAbsolute = scalars.first == ":"
    var parts: [String] = []
    var part: [Unicode.Scalar] = []
    var isEscaped = false
    for scalar in isAbsolute ? scalars.dropFirst() : scalars[...] {
      if scalar == ":", !isEscaped {
        parts.append(CommandWord.unescape(part))
        part = []
      } else {
        part.append(scalar)
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    if parts.isEmpty, part == ["\\"] {
      parts = [""]
    } else if !parts.isEmpty || !part.isEmpty {
      parts.append(CommandWord.unescape(part))
    }
    spelling = word?.spelling ?? ""
    components = (isAbsolute ? [] : current) + parts
  }

  var path: PlistKeyPath { PlistKeyPath(components: components) }
}
