/// The path from the root of a document to one of its values.
///
/// In text the components are separated by dots; `\.` is a dot and `\\` a backslash within a
/// component. A component is a key in a dictionary and an index, counted from zero, in an array.
/// The empty text is the root, and a single backslash is the path of one empty key.
public struct PlistKeyPath: Sendable, Hashable {
  /// The keys and indices, from the root down.
  public var components: [String]

  /// Creates a path of keys and indices.
  public init(components: [String] = []) { self.components = components }

  /// Parses a path. Every text is a path: a backslash before any other character, or at the end,
  /// stands for itself.
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

  /// Whether the path is that of the root.
  public var isRoot: Bool { components.isEmpty }
}

extension PlistKeyPath: CustomStringConvertible {
  /// The path as text, which ``init(_:)`` parses.
  public var description: String { String(String.UnicodeScalarView(text(limit: .max))) }

  /// The first 200 characters of the path on one line, for messages.
  package var excerpt: String { String.onOneLine(text(limit: 200), limit: 200) }

  /// The text, cut off soon after a limit.
  private func text(limit: Int) -> [Unicode.Scalar] {
    if components == [""] { return ["\\"] }
    var text: [Unicode.Scalar] = []
    for (index, component) in components.enumerated() {
      if index > 0 { text.append(".") }
      for scalar in component.unicodeScalars {
        if text.count > limit { return text }
        if scalar == "." || scalar == "\\" { text.append("\\") }
        text.append(scalar)
      }
    }
    return text
  }
}

extension PlistValue {
  /// The value at a path; nil if a key is missing, an index is invalid or out of range, or a
  /// component leads into a value other than a dictionary or an array.
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
      default: return nil
      }
    }
    return value
  }

  /// Parses a component as an index, which consists of decimal digits only.
  static func index(_ component: String) -> Int? {
    component.utf8.allSatisfy { $0.decimalDigit != nil } ? Int(component) : nil
  }
}
