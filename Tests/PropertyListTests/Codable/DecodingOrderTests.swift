import Foundation
import PropertyList
import TestSupport
import Testing

/// Decoders remember where the keys of one dictionary were found for the next one with the same keys, which
/// nobody may notice but by the clock.
@Suite("Dictionaries that have their keys in common are decoded")
struct DecodingOrderTests {
  /// What a type asks a dictionary for.
  private enum Question {
    case value(String)
    case presence(String)
    case valueIfPresent(String)
  }

  /// What one dictionary of an array answers to the questions that the decoder's `userInfo` holds for it.
  private struct Answers: Decodable, Equatable {
    var texts: [String] = []

    init(_ texts: [String]) { self.texts = texts }

    init(from decoder: any Decoder) throws {
      let lists = try #require(decoder.userInfo[.questions] as? [[Question]])
      let index = try #require(decoder.codingPath.last?.intValue)
      let container = try decoder.container(keyedBy: TextKey.self)
      for question in lists[index] {
        switch question {
        case .value(let key):
          do {
            texts.append(String(try container.decode(Int.self, forKey: TextKey(stringValue: key))))
          } catch DecodingError.keyNotFound(let missing, _) {
            texts.append("no \(missing.stringValue)")
          }
        case .presence(let key):
          texts.append(String(container.contains(TextKey(stringValue: key))))
        case .valueIfPresent(let key):
          let number = try container.decodeIfPresent(Int.self, forKey: TextKey(stringValue: key))
          texts.append(number.map { String($0) } ?? "nil")
        }
      }
    }
  }

  /// Asks the dictionaries of an array one after another.
  private func answers(
    to questions: [[Question]], of value: PlistValue, _ way: CodingWay
  ) throws -> [Answers] {
    var decoder = PlistDecoder()
    decoder.userInfo[.questions] = questions
    return try way.decode([Answers].self, from: value, decoder: decoder)
  }

  @Test(
    "in whatever order types ask, and when others ask in between", arguments: CodingWay.allCases)
  func orders(way: CodingWay) throws {
    // Longer keys than fit a string without storage are among them, and are made anew for every question.
    let keys = (0..<100).map { $0 % 3 == 0 ? "a rather long key number \($0)" : "key \($0)" }
    let missing = ["no such key", "key 100", "", "a rather long key number 1"]
    var generator = SeededGenerator(seed: 11)
    let first = (keys + missing).shuffled(using: &generator)
    let second = (keys + missing).shuffled(using: &generator)
    let orders = [first, first, first, second, first, first, second, second, keys, keys, first]

    let records = orders.indices.map { record in
      PlistDictionary(
        keys.enumerated().map { ($1, PlistValue.integer(Int64(1_000 * record + $0))) })
    }
    let questions = orders.map { order in
      order.enumerated().map { index, key -> Question in
        switch index % 5 {
        case 0: .presence(key)
        case 1: .valueIfPresent(key)
        default: .value(key)
        }
      }
    }
    let expected = zip(questions, records).map { questions, record in
      Answers(
        questions.map { question in
          switch question {
          case .value(let key): text(record[key]) ?? "no \(key)"
          case .presence(let key): String(record[key] != nil)
          case .valueIfPresent(let key): text(record[key]) ?? "nil"
          }
        })
    }
    let value = PlistValue.array(records.map { .dictionary($0) })
    #expect(try answers(to: questions, of: value, way) == expected)
  }

  private func text(_ value: PlistValue?) -> String? {
    if case .integer(let number)? = value { String(number) } else { nil }
  }

  @Test("with canonically equal keys told apart", arguments: CodingWay.allCases)
  func equivalentKeys(way: CodingWay) throws {
    let record: PlistValue = ["\u{E9}": 1, "e\u{301}": 2]
    let forwards: [Question] = [.value("\u{E9}"), .value("e\u{301}")]
    let backwards: [Question] = [.value("e\u{301}"), .value("\u{E9}")]
    #expect(
      try answers(
        to: [forwards, forwards, backwards, backwards, forwards],
        of: [record, record, record, record, record], way)
        == [["1", "2"], ["1", "2"], ["2", "1"], ["2", "1"], ["1", "2"]].map { Answers($0) })
  }

  @Test("when one of them is asked several times", arguments: CodingWay.allCases)
  func repetition(way: CodingWay) throws {
    let record: PlistValue = ["a": 1, "b": 2]
    let once: [Question] = [.value("a"), .value("b")]
    let many = (0..<200).map { _ in Question.value("a") } + once
    #expect(
      try answers(to: [once, many, many, once], of: [record, record, record, record], way)
        == [
          Answers(["1", "2"]), Answers(Array(repeating: "1", count: 201) + ["2"]),
          Answers(Array(repeating: "1", count: 201) + ["2"]), Answers(["1", "2"]),
        ])
  }

  @Test("with the last value of a key that a binary document repeats")
  func duplicates() throws {
    // Two dictionaries with the keys a, b and a once more, each with values of its own.
    let keys: [UInt8] = [3, 4, 3]
    let data = BinaryAssembly([
      [0xA2, 1, 2], [0xD3] + keys + [5, 6, 7], [0xD3] + keys + [7, 6, 5],
      BinaryAssembly.string("a"), BinaryAssembly.string("b"), [0x10, 10], [0x10, 20], [0x10, 30],
    ]).data
    var decoder = PlistDecoder()
    let list: [Question] = [.value("b"), .value("a"), .presence("c")]
    decoder.userInfo[.questions] = [list, list]
    #expect(
      try decoder.decode([Answers].self, from: data)
        == [Answers(["20", "30", "false"]), Answers(["20", "10", "false"])])
    #expect(
      try decoder.decode([[String: Int]].self, from: data)
        == [["a": 30, "b": 20], ["a": 10, "b": 20]])
  }
}

extension CodingUserInfoKey {
  fileprivate static let questions = CodingUserInfoKey(rawValue: "questions")!
}
