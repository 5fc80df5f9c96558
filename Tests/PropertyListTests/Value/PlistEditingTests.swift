import PropertyList
import TestSupport
import Testing

@Suite("Changing a value at a key path")
struct PlistEditingTests {
  private let root: PlistValue = ["d": ["k": 1], "a": ["x", ["y"]], "n": 5, "s": .set([1])]

  @Test("insert puts a new key at the end, and moves up the rest of an array")
  func insert() throws {
    var value = root
    try value.insert(2, at: "d.new")
    try value.insert("first", at: "a.0")
    try value.insert("last", at: "a.3")
    try value.insert("inner", at: "a.2.1")
    #expect(value["d"] == ["k": 1, "new": 2])
    #expect(value["a"] == ["first", "x", ["y", "inner"], "last"])
    #expect(keys(of: value) == ["d", "a", "n", "s", "k", "new"])
  }

  @Test("replace keeps the place, remove closes the gap, append goes to the end")
  func others() throws {
    var value = root
    try value.replace(at: "a.0", with: "new")
    try value.replace(at: "d.other", with: true)
    try value.append("z", toArrayAt: "a.1")
    try value.remove(at: "n")
    #expect(value == ["d": ["k": 1, "other": true], "a": ["new", ["y", "z"]], "s": .set([1])])
    try value.remove(at: "a.0")
    #expect(value["a"] == [["y", "z"]])
    try value.replace(at: "", with: 1)
    #expect(value == 1)
  }

  @Test("another copy of the value stays as it was")
  func copies() throws {
    let copy = root
    var value = root
    try value.remove(at: "a.1.0")
    #expect(copy["a.1.0"] == "y")
    #expect(value["a.1"] == [])
  }

  static let failures: [(PlistEdit, String)] = [
    (.insert(1, at: "d.k"), "there is already a value (key path d.k)"),
    (.insert(1, at: PlistKeyPath()), "there is already a value"),
    (.insert(1, at: "a.3"), "index 3 is out of range: a has 2 elements"),
    (.insert(1, at: "x.y.z"), "there is no value (key path x)"),
    (.insert(1, at: "a.0.k"), "a string has no keys or indices (key path a.0)"),
    (.insert(1, at: "s.0"), "a set has no keys or indices (key path s)"),
    (.replace("a.2", with: 1), "index 2 is out of range: a has 2 elements"),
    (.remove("a.2"), "there is no value (key path a.2)"),
    (.remove("n.k"), "there is no value (key path n.k)"),
    (.remove(PlistKeyPath()), "the root cannot be removed"),
    (.append(1, to: "n"), "cannot append to an integer; expected an array (key path n)"),
    (.append(1, to: "m"), "there is no value (key path m)"),
  ]

  @Test("what cannot be done says why, and changes nothing", arguments: failures)
  func failure(edit: PlistEdit, message: String) throws {
    var value = root
    #expect(errorText { try edit.apply(to: &value) } == message)
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
