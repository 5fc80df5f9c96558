/// The path from the root of a document to one of its values.
///
/// In text the components are separated by dots; `\.` is a dot and `\\` a backslash within a
/// component. A component is a key in a dictionary and an index, counted from zero, in an array. An
/// empty text is the root, and a single backslash is a path of one empty key.
public struct PlistKeyPath: Sendable, Hashable {
  /// The keys and indices, from the root down.
  public var components: [String]

  /// Creates a path of keys and indices.
  public init(components: [String] = []) { self.components = components }

  /// Parses a path. Every text is a path: a backslash before any other character, or at the end,
  /// represents itself.
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

  /// Whether the path leads to the root.
  public var isRoot: Bool { components.isEmpty }
}

extension PlistKeyPath: CustomStringConvertible {
  /// The path as text, which ``init(_:)`` parses.
  public var description: String { String(String.UnicodeScalarView(text(limit: .max))) }

  /// The beginning of the path on one line, for messages.
  package var excerpt: String {
    String.onOneLine(text(limit: String.excerptLimit), limit: String.excerptLimit)
  }

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
      guard let next = value.child(component)?.value else { return nil }
      value = next
    }
    return value
  }

  /// The value of a key or an index, and its position in the container.
  func child(_ component: String) -> (position: Int, value: PlistValue)? {
    switch self {
    case .dictionary(let dictionary):
      dictionary.shape.position(of: component).map { ($0, dictionary.contents[$0]) }
    case .array(let elements):
      Self.index(component).flatMap { $0 < elements.count ? ($0, elements[$0]) : nil }
    default: nil
    }
  }

  /// Parses a component as an index, which consists of decimal digits only.
  static func index(_ component: String) -> Int? {
    component.utf8.allSatisfy { $0.decimalDigit != nil } ? Int(component) : nil
  }
}
