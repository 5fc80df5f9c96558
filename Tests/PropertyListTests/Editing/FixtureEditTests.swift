import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("Edits of the XML fixtures")
struct FixtureEditTests {
  /// The number of edits, at random places in all fixtures.
  private static let count = 500

  private static let documents = FixtureIndex.wellFormed.filter { $0.format == .xml }

  @Test("change no other lines than those of the value")
  func lines() throws {
    var random = SeededGenerator(seed: 500)
    var changed: [String] = []
    var count = 0
    while count < Self.count {
      let fixture = try #require(Self.documents.randomElement(using: &random))
      var document = try EditedPlistDocument(fixture.data())
      let before = try EditedLines(document.data)
      let entries = before.text.index.entries.indices.dropFirst()
      // Some fixtures have a single value, or very many.
      guard entries.count < 1000, let number = entries.randomElement(using: &random) else {
        continue
      }
      let path = before.path(of: number, in: document.value)
      guard document.value[path] != nil, !before.isReplaced(number) else { continue }
      count += 1
      let concerned: Range<Int>
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        concerned = before.lines(ofValue: number)
        try document.replace(at: path, with: .string("edited \(count)"))
      case 1:
        // All values of a key are removed.
        guard !before.isRepeated(number) else { continue }
        concerned = before.lines(around: number)
        try document.remove(at: path)
      default:
        let last = before.lines(around: number).upperBound
        concerned = last..<last
        guard case .dictionary? = document.value[path.parent] else { continue }
        try document.insert("new", at: path.parent.appending("zzz \(count)"))
      }
      let after = try EditedLines(document.data)
      let isConcerned =
        concerned.isEmpty
        // A container on one line, and one without an end tag, must change.
        ? after.hasAll(of: before) || before.sharesLine(number)
        : after.differs(from: before, onlyIn: concerned)
      if !isConcerned || document.rewriteReason != nil {
        changed.append("\(fixture.name): more than \(concerned) for \(path)")
      }
    }
    #expect(changed == [])
  }
}

/// The lines of a document.
private struct EditedLines {
  let text: IndexedText
  private let lines: [ArraySlice<UInt8>]

  init(_ data: Data) throws {
    let options = PlistReadOptions.with { $0.recordsIndex = true }
    text = try #require(try Plist.readText(data, as: .xml, options: options).indexed)
    lines = text.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
  }

  private func line(of position: Int) -> Int {
    text.bytes[..<position].count { $0 == 0x0A }
  }

  func lines(ofValue number: Int) -> Range<Int> {
    let value = text.index.entries[number].value
    return line(of: value.lowerBound)..<line(of: value.upperBound) + 1
  }

  /// The lines of a value and its key, with comments and an empty line around them.
  func lines(around number: Int) -> Range<Int> {
    let entry = text.index.entries[number]
    var (start, end) = (line(of: entry.start), line(of: entry.value.upperBound) + 1)
    func isComment(_ line: Int) -> Bool {
      lines.indices.contains(line)
        && String(decoding: lines[line], as: UTF8.self).trimmingCharacters(in: .whitespaces)
          .hasPrefix("<!--")
    }
    func isEmpty(_ line: Int) -> Bool {
      lines.indices.contains(line) && lines[line].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }
    while isComment(start - 1) { start -= 1 }
    if isEmpty(end) { end += 1 } else if isEmpty(start - 1) { start -= 1 }
    return start..<end
  }

  /// Whether a value's line has another value or a bracket of the container.
  func sharesLine(_ number: Int) -> Bool {
    !text.startsLine(text.index.entries[number].start)
  }

  /// Whether a later value has the same key.
  func isReplaced(_ number: Int) -> Bool {
    let entry = text.index.entries[number]
    return text.index.entries.indices.contains { other in
      other > number && text.index.entries[other].position == entry.position
        && parent(of: other) == parent(of: number)
    }
  }

  /// Whether another value has the same key.
  func isRepeated(_ number: Int) -> Bool {
    let entry = text.index.entries[number]
    return text.index.entries.indices.contains { other in
      other != number && text.index.entries[other].position == entry.position
        && parent(of: other) == parent(of: number)
    }
  }

  private func parent(of number: Int) -> Int? {
    text.index.entries.indices.last { $0 < number && text.index.entries[$0].next > number }
  }

  func path(of number: Int, in root: PlistValue) -> PlistKeyPath {
    var numbers = [number]
    while let parent = parent(of: numbers[0]) { numbers.insert(parent, at: 0) }
    var path = PlistKeyPath()
    for number in numbers.dropFirst() {
      let position = text.index.entries[number].position
      if case .dictionary(let dictionary)? = root[path] {
        path.components.append(dictionary.key(at: position))
      } else {
        path.components.append(String(position))
      }
    }
    return path
  }

  /// Whether the lines before and after a range are the same as in another document.
  func differs(from other: EditedLines, onlyIn range: Range<Int>) -> Bool {
    lines.starts(with: other.lines[..<range.lowerBound])
      && lines.reversed().starts(with: other.lines[range.upperBound...].reversed())
  }

  /// Whether there are only new lines beside another document's.
  func hasAll(of other: EditedLines) -> Bool {
    let start = zip(lines, other.lines).prefix { $0 == $1 }.count
    return lines.reversed().starts(with: other.lines[start...].reversed())
  }
}

extension PlistKeyPath {
  fileprivate var parent: PlistKeyPath { PlistKeyPath(components: components.dropLast()) }

  fileprivate func appending(_ component: String) -> PlistKeyPath {
    PlistKeyPath(components: components + [component])
  }
}
