/// The way from a document's root to one of its values.
///
/// In text the parts are joined by dots; `\.` is a dot and `\\` a backslash within a part. A part
/// names a key where it meets a dictionary and an index, counted from zero, where it meets an array.
/// The empty text is the root, and a backslash alone is the path of one empty key.
public struct PlistKeyPath: Sendable, Hashable {
  /// The keys and indices, from the root down.
  public var components: [String]

  /// The path with these keys and indices.
  public init(components: [String] = []) {
    self.components = components
  }

  /// The path that a text spells. Every text spells one: a backslash before another character, or at
  /// the end, stands for itself.
  public init(_ text: String) {
    components = []
    guard !text.isEmpty else { return }
    guard text != "\\" else {
      components = [""]
      return
    }
    var component = ""
    var escaped = false
    for scalar in text.unicodeScalars {
      if escaped {
        if scalar != "." && scalar != "\\" { component.unicodeScalars.append("\\") }
        component.unicodeScalars.append(scalar)
        escaped = false
      } else if scalar == "\\" {
        escaped = true
      } else if scalar == "." {
        components.append(component)
        component = ""
      } else {
        component.unicodeScalars.append(scalar)
      }
    }
    if escaped { component.unicodeScalars.append("\\") }
    components.append(component)
  }

  /// Whether the path leads nowhere but to the root.
  public var isRoot: Bool { components.isEmpty }
}

extension PlistKeyPath: CustomStringConvertible {
  /// The text that spells the path.
  public var description: String {
    String(String.UnicodeScalarView(spelling(limit: .max)))
  }

  /// The beginning of that text, for a line of output.
  package var excerpt: String {
    String.onOneLine(spelling(limit: 200), limit: 200)
  }

  /// The characters of the text, or little more than as many as the limit says.
  private func spelling(limit: Int) -> [Unicode.Scalar] {
    if components == [""] { return ["\\"] }
    var spelling: [Unicode.Scalar] = []
    for (index, component) in components.enumerated() {
      if index > 0 { spelling.append(".") }
      for scalar in component.unicodeScalars {
        if spelling.count > limit { return spelling }
        if scalar == "." || scalar == "\\" { spelling.append("\\") }
        spelling.append(scalar)
      }
    }
    return spelling
  }
}

extension PlistValue {
  /// The value at the end of a path, or nil where a key is missing, an index is not a whole number
  /// within its array, or a part of the path meets a value without parts.
  public subscript(path: PlistKeyPath) -> PlistValue? {
    var value = self
    for component in path.components {
      switch value {
      case .dictionary(let dictionary):
        guard let next = dictionary[component] else { return nil }
        value = next
      case .array(let elements):
        guard let index = Self.index(component), index < elements.count else { return nil }
        value = elements[index]
      default:
        return nil
      }
    }
    return value
  }

  /// A part of a path as an index: decimal digits alone, so that `+1` and `01x` name nothing.
  static func index(_ component: String) -> Int? {
    component.utf8.allSatisfy { $0.decimalDigit != nil } ? Int(component) : nil
  }
}
