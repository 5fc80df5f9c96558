import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("Random edits of random documents")
struct RandomEditTests {
  /// The number of edits of each kind of document.
  private static let count = TestScale.count(2000)

  @Test(
    "lead to the edited value, and change nothing else", arguments: RandomText.Kind.allCases)
  func edits(kind: RandomText.Kind) throws {
    var count = 0
    var seed: UInt64 = 1
    while count < Self.count {
      var random = RandomText(kind, seed: seed)
      let text = random.document()
      let data = Self.encode(text, &random)
      var document: EditedPlistDocument
      do {
        document = try EditedPlistDocument(data, as: random.format)
      } catch {
        Issue.record("seed \(seed) makes a document that cannot be read: \(error)\n\(text)")
        return
      }
      for _ in 0..<4 {
        count += 1
        let edit = RandomEdit.edit(of: document.value, &random)
        guard let problem = try Self.problem(edit, &document) else { continue }
        Issue.record("seed \(seed): \(problem)")
        return
      }
      seed += 1
    }
  }

  /// Returns a document in UTF-8, or, where its format allows it, in UTF-16.
  private static func encode(_ text: String, _ random: inout RandomText) -> Data {
    guard random.chance(0.1), !text.contains("UTF-8") else {
      let mark = random.chance(0.1) ? Data([0xEF, 0xBB, 0xBF]) : Data()
      return mark + Data(text.utf8)
    }
    guard random.kind != .json else { return Data(text.utf8) }
    let isBigEndian = random.chance(0.5)
    return Data(isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE])
      + text.utf16.reduce(into: Data()) { data, unit in
        withUnsafeBytes(of: isBigEndian ? unit.bigEndian : unit.littleEndian) { data += $0 }
      }
  }

  /// Applies an edit, and returns the broken invariant; nil if there is none.
  private static func problem(
    _ edit: PlistEdit, _ document: inout EditedPlistDocument
  ) throws -> String? {
    let (before, old) = (document.data, document.value)
    var expected = old
    try edit.apply(to: &expected)
    func report(_ problem: String) -> String {
      "\(problem)\n\(edit)\n--- before\n\(text(of: before))\n--- after\n\(text(of: document.data))"
    }
    try edit.apply(to: &document)
    if let reason = document.rewriteReason { return report("\(reason)") }
    if document.value != expected { return report("another value") }
    let read = try Plist.read(document.data, as: document.format)
    if read.value != expected { return report("the text has another value") }
    if document.data.prefix(2) != before.prefix(2),
      before.starts(with: [0xEF, 0xBB]) || before.starts(with: [0xFE, 0xFF])
    {
      return report("another encoding")
    }
    let problem = RandomEdit.problem(
      edit, from: try RandomEdit.Texts(before, as: document.format),
      to: try RandomEdit.Texts(document.data, as: document.format), in: old)
    return problem.map(report)
  }

  private static func text(of data: Data) -> String {
    if data.starts(with: [0xFE, 0xFF]) || data.starts(with: [0xFF, 0xFE]) {
      return String(data: data, encoding: .utf16) ?? "?"
    }
    return String(decoding: data, as: UTF8.self)
  }
}
