import CommandLineInterface
import Foundation
import PropertyList
import Testing

@Suite("An edit of a value")
struct ValueEditTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 0.5)

  /// Replaces a part of the text, applies it to a value, and returns the result and the messages.
  private func change(
    _ edit: inout ValueEdit, _ old: String, _ new: String, in root: PlistValue
  ) throws -> (result: PlistValue, lines: [String]) {
    let text = String(decoding: edit.text, as: UTF8.self).replacing(old, with: new)
    var result = root
    switch try edit.apply(Data(text.utf8), update: { result = $0(root) }) {
    case .applied(let differences, _, _): return (result, differences.map(\.description))
    case .conflicts(let conflicts, let text):
      #expect(text == edit.text)
      return (result, conflicts.map { "\($0.path)" })
    }
  }

  @Test("keeps what the form does not hold")
  func fractions() throws {
    let value: PlistValue = ["a": 1, "dates": [.date(Self.date), .date(Self.date)]]
    var edit = try ValueEdit(value, in: TextForm(.xml))
    let (result, lines) = try change(&edit, ">1<", ">2<", in: value)
    #expect(result == ["a": 2, "dates": [.date(Self.date), .date(Self.date)]])
    #expect(lines == ["- a: 1", "+ a: 2"])
  }

  @Test("keeps what others have changed, and asks about the rest", arguments: TextForm.names)
  func merging(form: String) throws {
    var edit = try ValueEdit(["a": "one", "b": "two"], in: TextForm(named: form))
    let others: PlistValue = ["a": "three", "b": "two", "c": "four"]
    var (result, lines) = try change(&edit, "two", "five", in: others)
    #expect(result == ["a": "three", "b": "five", "c": "four"])
    #expect(lines == ["- b: \"two\"", "+ b: \"five\""])

    (result, lines) = try change(&edit, "one", "six", in: others)
    #expect(result == others)
    #expect(lines == ["a"])
    // The text now has the values of both, and the person's where they differ.
    (result, lines) = try change(&edit, "two", "seven", in: others)
    #expect(result == ["a": "six", "b": "seven", "c": "four"])
  }

  @Test("of a key leaves other keys alone, and is a conflict if others have removed it")
  func key() throws {
    var edit = try ValueEdit("x", ofKey: "k", in: TextForm(.xml))
    var (result, lines) = try change(&edit, "x</", "y</", in: ["k": "x", "l": "z"])
    #expect(result == ["k": "y", "l": "z"])
    (result, lines) = try change(&edit, "x</", "y</", in: ["l": "z"])
    #expect(result == ["l": "z"])
    #expect(lines == ["k"])
    (result, lines) = try change(&edit, "y</", "w</", in: ["l": "z"])
    #expect(result == ["k": "w", "l": "z"])
    #expect(lines == ["+ k: \"w\""])
  }

  @Test("of a dictionary leaves a dictionary")
  func kind() throws {
    var edit = try ValueEdit(["a": 1], in: TextForm(.json))
    let error = #expect(throws: CommandFailure.self) {
      try edit.apply(Data("[1]".utf8)) { _ in }
    }
    #expect(error?.lines == ["expected a dictionary, not an array"])
  }
}
