import Foundation
import PropertyList
import TestSupport
import Testing

/// Decoders record where the keys of one dictionary were found for the next one with the same keys,
/// which must not affect results.
@Suite("Dictionaries with the same keys are decoded")
struct DecodingOrderTests {
  /// A request to a dictionary.
  private enum Request {
    case value(String)
    case presence(String)
    case valueIfPresent(String)
  }

  /// The results of the requests in the decoder's `userInfo` for one dictionary of an array.
  private struct Results: Decodable, Equatable {
    var texts: [String] = []

    init(_ texts: [String]) { self.texts = texts }

    init(from decoder: any Decoder) throws {
      let lists = try #require(decoder.userInfo[.requests] as? [[Request]])
      let index = try #require(decoder.codingPath.last?.intValue)
      let container = try decoder.container(keyedBy: TextKey.self)
      for request in lists[index] {
        switch request {
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

  /// Decodes the dictionaries of an array one after another.
  private func results(
    to requests: [[Request]], of value: PlistValue, _ medium: CodingMedium
  ) throws -> [Results] {
    var decoder = PlistDecoder()
    decoder.userInfo[.requests] = requests
    return try medium.decode([Results].self, from: value, decoder: decoder)
  }

  @Test(
    "in whatever order types request keys, and when others come in between",
    arguments: CodingMedium.allCases)
  func orders(medium: CodingMedium) throws {
    // Some keys are too long for a small string, and are new strings for every request.
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
    let requests = orders.map { order in
      order.enumerated().map { index, key -> Request in
        switch index % 5 {
        case 0: .presence(key)
        case 1: .valueIfPresent(key)
        default: .value(key)
        }
      }
    }
    let expected = zip(requests, records).map { requests, record in
      Results(
        requests.map { request in
          switch request {
          case .value(let key): text(record[key]) ?? "no \(key)"
          case .presence(let key): String(record[key] != nil)
          case .valueIfPresent(let key): text(record[key]) ?? "nil"
          }
        })
    }
    let value = PlistValue.array(records.map { .dictionary($0) })
    #expect(try results(to: requests, of: value, medium) == expected)
  }

  private func text(_ value: PlistValue?) -> String? {
    if case .integer(let number)? = value { String(number) } else { nil }
  }

  @Test("with canonically equivalent keys distinguished", arguments: CodingMedium.allCases)
  func equivalentKeys(medium: CodingMedium) throws {
    let record: PlistValue = ["\u{E9}": 1, "e\u{301}": 2]
    let forwards: [Request] = [.value("\u{E9}"), .value("e\u{301}")]
    let backwards: [Request] = [.value("e\u{301}"), .value("\u{E9}")]
    #expect(
      try results(
        to: [forwards, forwards, backwards, backwards, forwards],
        of: [record, record, record, record, record], medium)
        == [["1", "2"], ["1", "2"], ["2", "1"], ["2", "1"], ["1", "2"]].map { Results($0) })
  }

  @Test("when one of them is requested repeatedly", arguments: CodingMedium.allCases)
  func repetition(medium: CodingMedium) throws {
    let record: PlistValue = ["a": 1, "b": 2]
    let once: [Request] = [.value("a"), .value("b")]
    let many = (0..<200).map { _ in Request.value("a") } + once
    #expect(
      try results(to: [once, many, many, once], of: [record, record, record, record], medium)
        == [
          Results(["1", "2"]), Results(Array(repeating: "1", count: 201) + ["2"]),
          Results(Array(repeating: "1", count: 201) + ["2"]), Results(["1", "2"]),
        ])
  }

  @Test("with the last value of a key that a binary document repeats")
  func duplicates() throws {
    // Two dictionaries with the keys a, b and a once more, each with different values.
    let keys: [UInt8] = [3, 4, 3]
    let data = BinaryAssembly([
      [0xA2, 1, 2], [0xD3] + keys + [5, 6, 7], [0xD3] + keys + [7, 6, 5],
      BinaryAssembly.string("a"), BinaryAssembly.string("b"), [0x10, 10], [0x10, 20], [0x10, 30],
    ]).data
    var decoder = PlistDecoder()
    let list: [Request] = [.value("b"), .value("a"), .presence("c")]
    decoder.userInfo[.requests] = [list, list]
    #expect(
      try decoder.decode([Results].self, from: data)
        == [Results(["20", "30", "false"]), Results(["20", "10", "false"])])
    #expect(
      try decoder.decode([[String: Int]].self, from: data)
        == [["a": 30, "b": 20], ["a": 10, "b": 20]])
  }
}

extension CodingUserInfoKey {
  fileprivate static let requests = CodingUserInfoKey(rawValue: "requests")!
}
