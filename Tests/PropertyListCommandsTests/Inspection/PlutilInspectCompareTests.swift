import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -inspect --compare")
struct PlutilInspectCompareTests {
  private let fixture: PlutilFixture

  init() throws {
    fixture = try PlutilFixture()
  }

  private func compare(_ first: PlistValue, _ second: PlistValue) throws -> InspectedPage {
    try fixture.folder.write(try Plist.write(first, as: .binary), to: "first")
    try fixture.folder.write(try Plist.write(second, as: .xml), to: "second")
    let run = try Plutil.run(["-inspect", "--compare", "first", "second"], in: fixture.folder)
    #expect(run.error == "")
    #expect(run.status == 0)
    return InspectedPage(run.output)
  }

  /// The nodes of a comparison, each as its state, its key or index, and its values.
  private func lines(_ page: InspectedPage) throws -> [String] {
    let tree = page.tree()
    let types = Array(try #require(tree["types"] as? String))
    let states = Array(try #require(tree["states"] as? String))
    let names = try #require(tree["names"] as? [Int])
    let keys = try #require(tree["keys"] as? [String])
    let (first, second) = (tree["first"] as? [Int] ?? [], tree["second"] as? [Int] ?? [])
    let others = tree["others"] as? [String: [String]] ?? [:]
    var texts = try #require(tree["texts"] as? [String])[...]
    #expect([states.count, first.count, second.count] == Array(repeating: types.count, count: 3))
    return types.indices.map { node in
      let label = names[node] < 0 ? "\(first[node])/\(second[node])" : keys[names[node]]
      let text = "sirDxXu".contains(types[node]) ? texts.removeFirst() : String(types[node])
      let other = others[String(node)].map { " > \($0[0]) \($0[1])" } ?? ""
      return "\(states[node]) \(label) \(text)\(other)"
    }
  }

  @Test("has the values of both files in one tree")
  func dictionaries() throws {
    let page = try compare(
      ["same": [1, 2], "changed": 1, "kind": "x", "gone": ["a": true], "in": ["x": 1, "y": 2]],
      ["same": [1, 2], "changed": 2, "kind": 1.5, "new": "n", "in": ["x": 1, "y": "2"]])
    #expect(
      try Set(lines(page)) == [
        "* -1/-1 d", "= same a", "= 0/0 1", "= 1/1 2", "* changed 1 > i 2", "* kind x > r 1.5",
        "- gone d", "- a t", "* in d", "= x 1", "* y 2 > s 2", "+ new n",
      ])
    #expect(page.document()["kind"] as? String == "comparison")
    #expect(page.document()["names"] as? [String] == ["first", "second"])
    #expect(page.entries[0]["summary"] as? String == "5 differences")
  }

  @Test("aligns the elements of arrays")
  func arrays() throws {
    #expect(
      try lines(compare(["a", "b", "c", "d"], ["a", "x", "b", "d"])) == [
        "* -1/-1 a", "= 0/0 a", "+ -1/1 x", "= 1/2 b", "- 2/-1 c", "= 3/3 d",
      ])
  }

  @Test("has values of different kinds one after the other")
  func kinds() throws {
    #expect(
      try lines(compare(["k": [1]], ["k": ["0": 1]])) == [
        "* -1/-1 d", "- k a", "- 0/-1 1", "+ k d", "+ 0 1",
      ])
    #expect(
      try lines(compare([1], ["0": 1])) == [
        "* -1/-1 a", "- 0/-1 a", "- 0/-1 1", "+ -1/0 d", "+ 0 1",
      ])
    #expect(try lines(compare("x", 1)) == ["* -1/-1 x > i 1"])
  }

  @Test("says that files are the same")
  func same() throws {
    let page = try compare(["a": 1], ["a": 1])
    #expect(try lines(page) == ["= -1/-1 d", "= a 1"])
    #expect(page.entries[0]["summary"] as? String == "the same values")
  }

  @Test("reports what cannot be compared")
  func failures() throws {
    try fixture.folder.makeFolder("folder")
    try fixture.folder.write("key = value;", to: "folder/x.plist")
    try fixture.expectUsageError(
      "-inspect --compare sample.plist", "--compare needs two files; found 1")
    try fixture.expectUsageError(
      "-inspect --compare folder sample.plist", "--compare needs two files; folder is a folder")
    try fixture.folder.write("<plist>", to: "bad")
    let run = try Plutil.run(
      ["-inspect", "--compare", "-o", "page.html", "sample.plist", "bad"], in: fixture.folder)
    #expect(run.status == 1)
    #expect(run.error.hasPrefix("bad: line 1 column "))
    #expect(!(try fixture.folder.names().contains("page.html")))
  }
}
