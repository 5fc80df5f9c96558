import Foundation

/// The elements of an SVG image in drawing order.
struct SVGCanvas {
  private var elements: [String] = []

  /// The point of a text that is at its position.
  enum Anchor: String {
    case start, middle, end
  }

  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, radius: Double = 0, class name: String
  ) {
    elements.append(
      "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" "
        + "height=\"\(Self.number(height))\" rx=\"\(Self.number(radius))\" class=\"\(name)\"/>")
  }

  mutating func line(x: Double, from top: Double, to bottom: Double, class name: String) {
    elements.append(
      "<line x1=\"\(Self.number(x))\" x2=\"\(Self.number(x))\" y1=\"\(Self.number(top))\" "
        + "y2=\"\(Self.number(bottom))\" class=\"\(name)\"/>")
  }

  /// - Parameter y: The baseline.
  mutating func text(
    _ text: String, x: Double, y: Double, anchor: Anchor = .start, class name: String
  ) {
    elements.append(
      "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor.rawValue)\" "
        + "class=\"\(name)\">\(Self.escaped(text))</text>")
  }

  /// Returns the SVG document. Screen readers announce it by its title.
  func document(width: Double, height: Double, title: String, style: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
    width="\(Self.number(width))" height="\(Self.number(height))" role="img">
    <title>\(Self.escaped(title))</title>
    <style>
    \(style)
    </style>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}
