import Foundation
import PropertyList

extension FuzzTarget {
  /// Key paths, which NULs separate, and edits of a value along them, one after another.
  static let keyPaths = FuzzTarget(name: "keypaths") { data in
    var value = sampleValue
    for text in data.words.prefix(20) {
      let path = PlistKeyPath(text)
      try expect(path.isRoot == text.isEmpty, "only the empty text is the root")
      try expect(PlistKeyPath(path.description) == path, "<\(path)> is read as another path")
      try checkEdits(of: value, at: path)
      // Further paths go through what this one adds.
      _ = try? value.insert(["a": [1, [:]]], at: path)
    }
  }

  /// A value with containers of both kinds, and keys with the characters that paths escape.
  static let sampleValue: PlistValue = [
    "a": ["b": [1, "two", [3.5, true]], "": "empty"], "list": [[:], [], "x"], "a.b": "dot",
    "\\": "backslash", "0": ["0": 0], "date": .date(Date(timeIntervalSinceReferenceDate: 0)),
    "data": .data(Data([1, 2, 3])), "é": 1, "e\u{301}": 2,
  ]

  /// Checks each edit at a path, and that one that throws changes nothing.
  private static func checkEdits(of value: PlistValue, at path: PlistKeyPath) throws {
    let new: PlistValue = ["new": [1]]
    let present = value[path] != nil
    try check(
      "insert", value, { (value) throws(PlistEditError) in try value.insert(new, at: path) }
    ) { inserted in
      try expect(inserted[path] == new, "another value is inserted at <\(path)>")
      var removed = inserted
      try removed.remove(at: path)
      try expect(removed == value, "insertion and removal at <\(path)> change the value")
    }
    let isReplaced = try check(
      "replace", value, { (value) throws(PlistEditError) in try value.replace(at: path, with: new) }
    ) { replaced in
      try expect(replaced[path] == new, "another value is set at <\(path)>")
    }
    try expect(isReplaced || !present, "a value at <\(path)> is not replaced")
    let isRemoved = try check(
      "remove", value, { (value) throws(PlistEditError) in try value.remove(at: path) }
    ) { removed in
      try expect(removed != value, "nothing is removed at <\(path)>")
    }
    try expect(isRemoved == (present && !path.isRoot), "<\(path)> is not removed")
    try check(
      "append", value,
      { (value) throws(PlistEditError) in try value.append(new, toArrayAt: path) }
    ) { appended in
      guard case .array(let elements)? = appended[path] else {
        throw Finding(description: "no array at <\(path)> is appended to")
      }
      try expect(elements.last == new, "another value is appended at <\(path)>")
    }
  }

  /// Returns whether an edit succeeds; `result` checks what it makes.
  @discardableResult
  private static func check(
    _ name: String, _ value: PlistValue,
    _ edit: (inout PlistValue) throws(PlistEditError) -> Void,
    result: (PlistValue) throws -> Void
  ) throws -> Bool {
    var edited = value
    do throws(PlistEditError) {
      try edit(&edited)
    } catch {
      try expectLine(error)
      try expect(edited == value, "\(name) throws and changes the value")
      return false
    }
    try result(edited)
    return true
  }
}
