import Foundation
import PropertyList

/// How a page looks.
extension Page {
  enum Theme: String, CaseIterable {
    case light, dark
  }

  /// Shows the page in a theme, and on the screen or as it is printed.
  func show(_ theme: Theme, printed: Bool = false) async throws {
    try await call(
      "Emulation.setEmulatedMedia",
      [
        "media": printed ? "print" : "screen",
        "features": [["name": "prefers-color-scheme", "value": .string(theme.rawValue)]],
      ])
  }

  /// A picture of what is visible, as PNG.
  func picture() async throws -> Data {
    let answer = try await call("Page.captureScreenshot", ["format": "png"])
    return Data(base64Encoded: answer["data"] as String) ?? Data()
  }

  /// What the page looks like on paper, as PDF.
  func paper() async throws -> Data {
    let answer = try await call("Page.printToPDF")
    return Data(base64Encoded: answer["data"] as String) ?? Data()
  }

  /// Lets the page read and write the clipboard.
  func allowClipboard() async throws {
    try await call(
      "Browser.grantPermissions",
      [
        "browserContextId": .string(context),
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"],
      ])
  }

  // MARK: Contrast

  /// Text that is hard to read.
  struct Faint: Decodable, CustomStringConvertible {
    var text: String
    var color: String
    var background: String
    var ratio: Double

    var description: String { "\(text.debugDescription): \(color) on \(background) is \(ratio)" }
  }

  /// The visible texts whose contrast with what is behind them is below a ratio, as the Web Content
  /// Accessibility Guidelines compute it.
  func texts(below ratio: Double = 4.5) async throws -> [Faint] {
    try await run(
      """
      const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      // What a color looks like on an opaque one.
      const mix = (color, behind) => {
        context.fillStyle = `rgb(${behind.join()})`;
        context.fillRect(0, 0, 1, 1);
        context.fillStyle = color;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const behind = element => {
        const above = element.parentElement ? behind(element.parentElement) : [255, 255, 255];
        return mix(getComputedStyle(element).backgroundColor, above);
      };
      const luminance = color => {
        const [r, g, b] = color.map(part => part / 255)
          .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const found = [];
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const text = walk.currentNode.data.trim();
        const element = walk.currentNode.parentElement;
        if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          continue;
        const background = behind(element);
        const color = mix(getComputedStyle(element).color, background);
        const [darker, lighter] = [luminance(color), luminance(background)].sort((a, b) => a - b);
        const ratio = (lighter + 0.05) / (darker + 0.05);
        if (ratio < \(ratio))
          found.push({ text: text.slice(0, 60), color: color.join(), background: background.join(), ratio });
      }
      return found;
      """)
  }
}
