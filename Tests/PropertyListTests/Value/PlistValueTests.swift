import Foundation
import TestSupport
import Testing

@testable import PropertyList

@Suite("A value")
struct PlistValueTests {
  static let distinct: [PlistValue] = [
    1, 1.0, true, "1", .uid(1), .data(Data([1])), .time(1),
    [1],
    .set([1]), ["1": 1], .null, 0, 0.0, false, "", .uid(0), .data(Data()), [], .set([]), [:],
    .real(.nan), .real(.infinity), "\u{E9}", "e\u{301}", .unsignedInteger(.max), -1,
  ]

  @Test("equals no value of another kind, and itself")
  func kinds() {
    for (index, value) in Self.distinct.enumerated() {
      for (otherIndex, other) in Self.distinct.enumerated() {
        #expect((value == other) == (index == otherIndex), "\(value) and \(other)")
      }
      #expect(value.hashValue == value.hashValue)
    }
    #expect(Set(Self.distinct).count == Self.distinct.count)
  }

  static let equal: [(PlistValue, PlistValue)] = [
    (.real(.nan), .real(-.nan)), (.real(.nan), .float(.nan)), (.real(.nan), .real(.signalingNaN)),
    (.float(1.5), 1.5), (.float(0.1), .real(Double(Float(0.1)))), (0.0, -0.0),
    (5, .unsignedInteger(5)), (["a": 1, "b": 2], ["b": 2, "a": 1]),
    (.set([1, "a"]), .set(["a", 1])), (.set([["b": 1, "a": 2]]), .set([["a": 2, "b": 1]])),
  ]

  @Test("equals one of the same value in another form, and hashes alike", arguments: equal)
  func forms(one: PlistValue, other: PlistValue) {
    #expect(one == other)
    #expect(other == one)
    #expect(one.hashValue == other.hashValue)
    #expect([one] as PlistValue == [other])
  }

  @Test("a float does not equal the real of the same digits")
  func digits() {
    #expect(PlistValue.float(0.1) != 0.1)
    #expect(PlistValue.set([1, 1]) != .set([1, 2]))
    #expect(PlistValue.set([1, 1, 2]) != .set([1, 2, 2]))
  }

  @Test("of sets within sets is compared and hashed in no time")
  func nestedSets() {
    func nested(_ leaf: PlistValue) -> PlistValue {
      (0..<200).reduce(leaf) { set, number in .set([set, .integer(Int64(number))]) }
    }
    #expect(nested("a") == nested("a"))
    #expect(nested("a") != nested("b"))
    #expect(nested("a").hashValue == nested("a").hashValue)
    // Pairs of equal elements hash as differently as their elements do.
    let pairs = PlistValue.set((0..<2000).map { .set([.integer($0), .integer($0)]) })
    let reversed = PlistValue.set((0..<2000).reversed().map { .set([.integer($0), .integer($0)]) })
    #expect(pairs == reversed)
    #expect(
      Set((0..<100).map { PlistValue.set([.integer($0), .integer($0)]).hashValue }).count > 90)
  }

  @Test("finds values by key path")
  func keyPaths() {
    let value: PlistValue = [
      "a": [["b": 1], "text"], "x.y": 2, "0": 3, "back\\slash": 4, "": ["": 5],
    ]
    #expect(value[""] == value)
    #expect(value["a.0.b"] == 1)
    #expect(value["a.1"] == "text")
    #expect(value[#"x\.y"#] == 2)
    #expect(value["0"] == 3)
    #expect(value[#"back\slash"#] == 4)
    #expect(value[#"back\\slash"#] == 4)
    #expect(value["."] == 5)
    #expect(value[#"\"#] == ["": 5])
  }

  @Test(
    "has nothing at other key paths",
    arguments: [
      "b", "a.2", "a.-1", "a.+1", "a.0x0", "a.x", "a.1.b", "a.0.b.c", "a.",
      "a.99999999999999999999",
    ])
  func missingKeyPaths(path: String) {
    let value: PlistValue = ["a": [["b": 1], "text"], "0": 3, "": ["": 5]]
    #expect(value[PlistKeyPath(path)] == nil)
  }

  @Test(
    "a key path's text spells it",
    arguments: [
      ["a"], ["a", "b"], ["x.y", "z"], [#"\"#, #"\."#], ["", ""], ["a", ""], [""], [#"\\"#], [],
    ])
  func keyPathText(components: [String]) {
    let path = PlistKeyPath(components: components)
    #expect(PlistKeyPath(path.description) == path)
  }

  @Test(
    "has a kind with the right article",
    arguments: [
      ([:], "a dictionary"), ([], "an array"), ("", "a string"), (1, "an integer"),
      (1.5, "a real"), (true, "a boolean"), (.date(.distantPast), "a date"),
      (.data(Data()), "data"),
      (.uid(1), "a UID"), (.set([]), "a set"), (.null, "null"),
    ] as [(PlistValue, String)])
  func articles(value: PlistValue, text: String) {
    #expect(value.kind.withArticle == text)
  }

  @Test(
    "is a boolean by its words",
    arguments: [
      ("true", true), ("YES", true), ("1", true), ("false", false), ("No", false), ("0", false),
      ("on", nil), ("off", nil), ("", nil), ("2", nil), (" true", nil), ("y", nil),
    ] as [(String, Bool?)])
  func booleanWords(text: String, boolean: Bool?) {
    #expect((try? PlistValue(booleanText: text)) == boolean.map { .boolean($0) })
  }

  @Test("is a boolean by on and off on request", arguments: [("on", true), ("OFF", false)])
  func onAndOff(text: String, boolean: Bool) throws {
    #expect(try PlistValue(booleanText: text, acceptsOnOff: true) == .boolean(boolean))
  }
}

@Suite("The text of an error")
struct PlistErrorTests {
  @Test("is one line, whatever the keys of the document are")
  func oneLine() {
    let xml = "<plist><dict><key>a\nb&#27;[2J</key><integer>x</integer></dict></plist>"
    #expect(
      readError(xml)
        == "line 2 column 25: not an integer; expected digits, "
        + #"or 0x and hexadecimal digits (key path a\u{a}b\u{1b}[2J)"#)
    let key = String(repeating: "k", count: 10_000)
    let long = readError("<plist><dict><key>\(key)</key></dict></plist>")
    #expect(
      long == "line 1 column 10025: expected a value for the key, found </dict> "
        + "(key path \(key.prefix(200))…)")
  }

  @Test("Differences tell types and places")
  func differences() {
    let value: PlistValue = ["a": 1, "b": ["x", "y"], "c": ["k": 1.5], "same": true]
    let other: PlistValue = [
      "a": "1", "b": ["x", "z", "y"], "c": ["k": 1.5, "l": [:]], "same": true,
    ]
    #expect(
      value.differences(to: other).map(\.description) == [
        "- a: 1", #"+ a: "1""#, #"+ b.1: "z""#, "+ c.l: {}",
      ])
    #expect(value.differences(to: value) == [])
    #expect(PlistValue(1).differences(to: 1.0).map(\.description) == ["- : 1", "+ : 1.0"])
  }

  @Test("Values that share too many parts are compared as a whole")
  func sharedDifferences() {
    func shared(_ leaf: PlistValue) -> PlistValue {
      var value = leaf
      for _ in 0..<64 { value = .array([value, value]) }
      return value
    }
    let differences = shared("a").differences(to: shared("b"))
    #expect(differences.map(\.path.isRoot) == [true, true])
    #expect(shared("a").differences(to: shared("a")) == [])
    #expect(shared("a").debugDescription.hasSuffix("…"))
  }

  @Test("Values deeper than documents may be are compared as a whole, on a small stack")
  func deepDifferences() {
    @Sendable func deep(_ leaf: PlistValue) -> PlistValue {
      (0..<100_000).reduce(leaf) { inner, level in level % 2 == 0 ? [inner] : ["k": inner] }
    }
    @Sendable func isRoot(_ difference: PlistDifference) -> Bool { difference.path.isRoot }
    let results = Recorder<[Bool]>()
    let thread = TestThread(stackSize: 512 << 10) {
      var values = [deep("a"), deep("b"), deep("a")]
      results.record(values[0].differences(to: values[1]).map(isRoot))
      results.record(values[0].differences(to: values[2]).map(isRoot))
      // Swift would release all levels on the stack.
      while var value = values.popLast() {
        while let inner = value["0"] ?? value["k"] { value = inner }
      }
    }
    #expect(thread.join())
    #expect(results.all == [[true, true], []])
  }

  @Test("The debug description has the types of all values")
  func debugDescription() {
    let value: PlistValue = ["b": ["1", 1, 1.0, true], "a": .set([.null]), "c\n": [:]]
    #expect(value.debugDescription == #"{"a": {(null)}, "b": ["1", 1, 1.0, true], "c\n": {}}"#)
    #expect("\([PlistValue.string("1"), 1])" == #"["1", 1]"#)
  }
}
