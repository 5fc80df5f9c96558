import Foundation
import Testing

@testable import PropertyList

@Suite("An encoder's container")
struct CodableContainerTests {
  private func value(_ body: @escaping (any Encoder) throws -> Void) throws -> PlistValue {
    try PlistEncoder().encodeToValue(Encoding(body: body))
  }

  @Test("can be requested repeatedly")
  func repeated() throws {
    let keyed = try value { encoder in
      var first = encoder.container(keyedBy: TextKey.self)
      try first.encode(1, forKey: "a")
      var second = encoder.container(keyedBy: TextKey.self)
      try second.encode(2, forKey: "b")
      try first.encode(3, forKey: "c")
    }
    #expect(keyed == ["a": 1, "b": 2, "c": 3])
    let unkeyed = try value { encoder in
      var first = encoder.unkeyedContainer()
      try first.encode(1)
      var second = encoder.unkeyedContainer()
      try second.encode(2)
      #expect(first.count == 2)
    }
    #expect(unkeyed == [1, 2])
  }

  @Test("keeps the last value of a repeated key, at the first position")
  func duplicates() throws {
    let value = try value { encoder in
      var container = encoder.container(keyedBy: TextKey.self)
      try container.encode(1, forKey: "a")
      try container.encode(2, forKey: "b")
      try container.encode("three", forKey: "a")
      try container.encode(4, forKey: "nil")
      try container.encodeNil(forKey: "nil")
      try container.encode(5, forKey: "none")
      try container.encode(Int?.none, forKey: "none")
      _ = container.nestedContainer(keyedBy: TextKey.self, forKey: "nested")
      try container.encode(6, forKey: "nested")
      try container.encode(7, forKey: "super")
      _ = container.superEncoder()
    }
    #expect(value == ["a": "three", "b": 2, "nested": 6, "super": [:]])
    #expect(keys(of: value) == ["a", "b", "nested", "super"])
  }

  @Test("keeps nested containers in their places, whenever they are encoded")
  func nested() throws {
    let value = try value { encoder in
      var root = encoder.container(keyedBy: TextKey.self)
      var list = root.nestedUnkeyedContainer(forKey: "list")
      var map = root.nestedContainer(keyedBy: TextKey.self, forKey: "map")
      try root.encode(0, forKey: "last")
      var inner = list.nestedContainer(keyedBy: TextKey.self)
      try list.encode("after")
      var innermost = list.nestedUnkeyedContainer()
      try map.encode(1, forKey: "one")
      try innermost.encode(2)
      try inner.encode(3, forKey: "three")
      let parent = list.superEncoder()
      var single = parent.singleValueContainer()
      try single.encode("parent")
      #expect(parent.codingPath.map(\.stringValue) == ["list", "Index 3"])
      #expect(inner.codingPath.map(\.stringValue) == ["list", "Index 0"])
      #expect(root.superEncoder(forKey: "other").codingPath.map(\.stringValue) == ["other"])
    }
    #expect(
      value == [
        "list": [["three": 3], "after", [2], "parent"], "map": ["one": 1], "last": 0, "other": [:],
      ])
    #expect(keys(of: value) == ["list", "map", "last", "other", "three", "one"])
  }

  @Test("continues the container that a key already has")
  func reopened() throws {
    let value = try value { encoder in
      var root = encoder.container(keyedBy: TextKey.self)
      try root.encode(["a": 1], forKey: "map")
      try root.encode([1], forKey: "list")
      for number in 2...3 {
        var map = root.nestedContainer(keyedBy: TextKey.self, forKey: "map")
        try map.encode(number, forKey: TextKey(intValue: number))
        var list = root.nestedUnkeyedContainer(forKey: "list")
        try list.encode(number)
      }
      try (["extra": true] as PlistDictionary).encode(to: encoder)
    }
    #expect(value == ["map": ["a": 1, "2": 2, "3": 3], "list": [1, 2, 3], "extra": true])
  }

  @Test("distinguishes canonically equivalent keys by their bytes")
  func equivalentKeys() throws {
    let value = try value { encoder in
      var root = encoder.container(keyedBy: TextKey.self)
      var one = root.nestedUnkeyedContainer(forKey: "\u{E9}")
      var other = root.nestedUnkeyedContainer(forKey: "e\u{301}")
      try one.encode(1)
      try other.encode(2)
    }
    #expect(value == ["\u{E9}": [1], "e\u{301}": [2]])
  }

  @Test("is an empty dictionary if nothing is encoded")
  func nothing() throws {
    #expect(try value { _ in } == [:])
    #expect(try PlistEncoder().encodeToValue([Encoding { _ in }]) == [[:]])
    #expect(try value { _ = $0.unkeyedContainer() } == [])
  }

  @Test("omits a superclass that is nil")
  func nilSuper() throws {
    let value = try value { encoder in
      var container = encoder.container(keyedBy: TextKey.self)
      var single = container.superEncoder().singleValueContainer()
      try single.encodeNil()
      try container.encode(1, forKey: "a")
    }
    #expect(value == ["a": 1])
  }

  @Test("passes on the user info")
  func userInfo() throws {
    let key = CodingUserInfoKey(rawValue: "key")!
    var encoder = PlistEncoder()
    encoder.userInfo[key] = "value"
    let encoded = try encoder.encodeToValue([
      Encoding { encoder in
        var container = encoder.singleValueContainer()
        try container.encode(encoder.userInfo[key] as? String)
      }
    ])
    #expect(encoded == ["value"])

    struct Reader: Decodable {
      var text: String?

      init(from decoder: any Decoder) {
        text = decoder.userInfo[CodingUserInfoKey(rawValue: "key")!] as? String
      }
    }
    var decoder = PlistDecoder()
    decoder.userInfo[key] = "value"
    #expect(try decoder.decode([Reader].self, from: [1]).map(\.text) == ["value"])
  }

  @Test("of another kind than the first is a programming error")
  func mixed() async {
    await #expect(processExitsWith: .failure) {
      _ = try PlistEncoder().encode(
        Encoding { encoder in
          _ = encoder.unkeyedContainer()
          _ = encoder.container(keyedBy: TextKey.self)
        })
    }
    await #expect(processExitsWith: .failure) {
      _ = try PlistEncoder().encode(
        Encoding { encoder in
          var container = encoder.singleValueContainer()
          try container.encode(1)
          try container.encode(2)
        })
    }
  }
}
