import Foundation
import Testing

/// A file made to crash, hang or exhaust a program that does anything with it.
struct HostileFile: Sendable, CustomTestStringConvertible {
  let name: String
  let data: Data

  init(_ name: String, _ data: Data) {
    self.name = name
    self.data = data
  }

  init(_ name: String, _ text: String) {
    self.init(name, Data(text.utf8))
  }

  var testDescription: String { name }

  /// A file for each class of defects that the formats have, large enough for the defect to have an
  /// effect.
  static let all = xml + binary + openStep + json

  static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }
}
