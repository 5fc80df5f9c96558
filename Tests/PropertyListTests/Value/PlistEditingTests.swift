import Foundation
import PropertyList
import Testing

@Suite("Changing a value at a key path")
struct PlistEditingTests {
  private let root: PlistValue = ["d": ["k": 1], "a": ["x", ["y"]], "n": 5, "s": .set([1])]

  private func path(_ text: String) -> PlistKeyPath { PlistKeyPath(text) }

  @Test("insert puts a new key at the end, and moves up the rest of an array")
  func insert() throws {
    var value = root
    try value.insert(2, at: path("d.new"))
    try value.insert("first", at: path("a.0"))
    try value.insert("last", at: path("a.3"))
    try value.insert("inner", at: path("a.2.1"))
    #expect(value[path("d")] == ["k": 1, "new": 2])
    #expect(value[path("a")] == ["first", "x", ["y", "inner"], "last"])
    guard case .dictionary(let dictionary)? = value[path("d")] else {
      Issue.record("no dictionary")
      return
    }
    #expect(Array(dictionary.keys) == ["k", "new"])
  }

  @Test("replace keeps the place, remove closes the gap, append goes to the end")
  func others() throws {
    var value = root
    try value.replace(at: path("a.0"), with: "new")
    try value.replace(at: path("d.other"), with: true)
    try value.append("z", toArrayAt: path("a.1"))
    try value.remove(at: path("n"))
    #expect(value == ["d": ["k": 1, "other": true], "a": ["new", ["y", "z"]], "s": .set([1])])
    try value.remove(at: path("a.0"))
    #expect(value[path("a")] == [["y", "z"]])
    try value.replace(at: path(""), with: 1)
    #expect(value == 1)
  }

  @Test("another copy of the value stays as it was")
  func copies() throws {
    let copy = root
    var value = root
    try value.remove(at: path("a.1.0"))
    #expect(copy[path("a.1.0")] == "y")
    #expect(value[path("a.1")] == [])
  }

  static let failures: [(@Sendable (inout PlistValue) throws(PlistEditError) -> Void, String)] = [
    (
      { (value) throws(PlistEditError) in try value.insert(1, at: PlistKeyPath("d.k")) },
      "there is already a value (key path d.k)"
    ),
    (
      { (value) throws(PlistEditError) in try value.insert(1, at: PlistKeyPath()) },
      "there is already a value"
    ),
    (
      { (value) throws(PlistEditError) in try value.insert(1, at: PlistKeyPath("a.3")) },
      "index 3 is out of range: a has 2 elements"
    ),
    (
      { (value) throws(PlistEditError) in try value.insert(1, at: PlistKeyPath("x.y.z")) },
      "there is no value (key path x)"
    ),
    (
      { (value) throws(PlistEditError) in try value.insert(1, at: PlistKeyPath("a.0.k")) },
      "a string has no keys or indices (key path a.0)"
    ),
    (
      { (value) throws(PlistEditError) in try value.insert(1, at: PlistKeyPath("s.0")) },
      "a set has no keys or indices (key path s)"
    ),
    (
      { (value) throws(PlistEditError) in try value.replace(at: PlistKeyPath("a.2"), with: 1) },
      "index 2 is out of range: a has 2 elements"
    ),
    (
      { (value) throws(PlistEditError) in try value.remove(at: PlistKeyPath("a.2")) },
      "there is no value (key path a.2)"
    ),
    (
      { (value) throws(PlistEditError) in try value.remove(at: PlistKeyPath("n.k")) },
      "there is no value (key path n.k)"
    ),
    (
      { (value) throws(PlistEditError) in try value.remove(at: PlistKeyPath()) },
      "the root cannot be removed"
    ),
    (
      { (value) throws(PlistEditError) in try value.append(1, toArrayAt: PlistKeyPath("n")) },
      "cannot append to an integer; expected an array (key path n)"
    ),
    (
      { (value) throws(PlistEditError) in try value.append(1, toArrayAt: PlistKeyPath("m")) },
      "there is no value (key path m)"
    ),
  ]

  @Test("what cannot be done says why, and changes nothing", arguments: failures.indices)
  func failure(index: Int) throws {
    let (change, message) = Self.failures[index]
    var value = root
    let error = #expect(throws: PlistEditError.self) { try change(&value) }
    #expect(error.map { "\($0)" } == message)
    #expect(value == root)
  }

  @Test("a path as deep as documents may be is followed")
  func depth() throws {
    var value = PlistValue.array([])
    for _ in 1..<512 { value = [value] }
    let path = PlistKeyPath(components: Array(repeating: "0", count: 512))
    try value.insert("leaf", at: path)
    #expect(value[path] == "leaf")
    try value.remove(at: path)
    #expect(value[path] == nil)
  }
}
