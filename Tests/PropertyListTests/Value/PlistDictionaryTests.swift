import TestSupport
import Testing

@testable import PropertyList

@Suite("A dictionary")
struct PlistDictionaryTests {
  @Test("keeps the order of first insertion, and the last value of a repeated key")
  func order() {
    var dictionary: PlistDictionary = ["b": 1, "a": 2, "b": 3]
    #expect(Array(dictionary.keys) == ["b", "a"])
    #expect(Array(dictionary.values) == [3, 2])
    dictionary["c"] = 4
    #expect(dictionary.updateValue(5, forKey: "a") == 2)
    #expect(dictionary.updateValue(6, forKey: "d") == nil)
    #expect(dictionary.map(\.key) == ["b", "a", "c", "d"])
    dictionary["a"] = nil
    #expect(dictionary.removeValue(forKey: "a") == nil)
    #expect(dictionary.map(\.key) == ["b", "c", "d"])
    #expect(dictionary.count == 3)
    #expect(dictionary[1] == ("c", 4))
  }

  @Test("releases reserved space and keeps its entries, also those of dictionaries that share keys")
  func trimming() {
    var dictionary = PlistDictionary((0..<40).map { ("key \($0)", .integer(Int64($0))) })
    dictionary.reserveCapacity(1_000)
    let copy = dictionary
    dictionary.trimCapacity()
    #expect(dictionary.contents.capacity < 100)
    #expect(dictionary.shape === copy.shape)
    #expect(dictionary == copy)
    var other = PlistDictionary(copy.map { ($0.key, $0.value) })
    other.reserveCapacity(1_000)
    other.trimCapacity()
    #expect(other.shape.capacity < 100)
    #expect(other == copy && Array(other.keys) == Array(copy.keys))
    #expect(other["key 39"] == 39)
  }

  @Test("tells keys apart by their bytes")
  func bytes() {
    let dictionary: PlistDictionary = ["\u{E9}": 1, "e\u{301}": 2, "": 3]
    #expect(dictionary.count == 3)
    #expect(dictionary["\u{E9}"] == 1)
    #expect(dictionary["e\u{301}"] == 2)
    #expect(dictionary[""] == 3)
    #expect(dictionary["e"] == nil)
  }

  @Test("equals another of the same entries in any order, and hashes alike")
  func equality() {
    let one: PlistDictionary = ["a": 1, "b": [1, 2], "c": ["x": true]]
    let other: PlistDictionary = ["c": ["x": true], "a": 1, "b": [1, 2]]
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(one != ["a": 1, "b": [2, 1], "c": ["x": true]])
    #expect(one != ["a": 1, "b": [1, 2]])
    #expect(one != ["a": 1, "b": [1, 2], "d": ["x": true]])
    #expect(["\u{E9}": 1] as PlistDictionary != ["e\u{301}": 1])
  }

  @Test("sorts keys by UTF-16 code units")
  func sorting() {
    // U+1F600 is D83D DE00 and comes before U+FB00; by bytes it comes after.
    let keys = [
      "", "B", "a", "ab", "é", "\u{D7FF}", "\u{1F600}", "\u{1F601}", "\u{E000}", "\u{FB00}",
    ]
    let dictionary = PlistDictionary(keys.reversed().map { ($0, 1) })
    #expect(dictionary.sortedKeys == keys)
    #expect(PlistDictionary(keys.map { ($0, 1) }).sortedPositions() == nil)
  }

  @Test(
    "sorts any keys by UTF-16 code units, however they came",
    arguments: 1...20 as ClosedRange<UInt64>)
  func sortingOfAny(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "a", "b", "\0", "é", "e\u{301}", "\u{E000}", "\u{FB00}", "\u{1F600}", "prefix 12",
    ]
    var keys: [String] = []
    for _ in 0..<60 {
      let count = Int.random(in: 0...4, using: &generator)
      let key = (0..<count).map { _ in pieces.randomElement(using: &generator)! }.joined()
      if !keys.contains(where: { $0.utf8.elementsEqual(key.utf8) }) { keys.append(key) }
    }
    let sorted = keys.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
    func isSorted(_ keys: [String]) -> Bool {
      PlistDictionary(keys.map { ($0, 1) }).sortedKeys.elementsEqual(sorted) {
        $0.utf8.elementsEqual($1.utf8)
      }
    }
    #expect(isSorted(keys))
    #expect(isSorted(sorted))
    #expect(isSorted(keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }))
  }

  /// Every way to find a key: comparing with all, binary search while keys ascend, the index.
  @Test(
    "does as an array of pairs does, whatever the order of insertion",
    arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func model(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var dictionary = PlistDictionary()
    var pairs: [(key: String, value: PlistValue)] = []
    let range = seed.isMultiple(of: 2) ? 40 : 400
    for step in 0..<3000 {
      let number = Int.random(in: 0..<range, using: &generator)
      // Ascending runs, as readers meet them, between random keys.
      let key = step % 500 < 100 ? "key \(1000 + step)" : "key \(number)"
      let position = pairs.firstIndex { $0.key == key }
      if Int.random(in: 0..<3, using: &generator) == 0 {
        let removed = dictionary.removeValue(forKey: key)
        try #require(removed == position.map { pairs.remove(at: $0).value })
      } else {
        let old = dictionary.updateValue(.integer(Int64(step)), forKey: key)
        if let position {
          try #require(old == pairs[position].value)
          pairs[position].value = .integer(Int64(step))
        } else {
          try #require(old == nil)
          pairs.append((key, .integer(Int64(step))))
        }
      }
      try #require(dictionary.count == pairs.count)
      if step % 50 == 0 {
        try #require(dictionary.elementsEqual(pairs) { $0 == $1 })
        for pair in pairs { try #require(dictionary[pair.key] == pair.value) }
        try #require(dictionary["missing"] == nil)
      }
    }
  }

  @Test("a copy does not change with the original")
  func copies() {
    var dictionary = PlistDictionary(
      (0..<100).reversed().map { ("key \($0)", .integer(Int64($0))) })
    let copy = dictionary
    dictionary["key 5"] = nil
    dictionary["new"] = true
    dictionary["key 6"] = false
    #expect(copy.count == 100)
    #expect(copy["key 5"] == 5)
    #expect(copy["key 6"] == 6)
    #expect(copy["new"] == nil)
  }
}
