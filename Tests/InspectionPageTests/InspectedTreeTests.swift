import Foundation
import InspectionPage
import PropertyList
import Testing

@Suite("The tree of a page")
struct InspectedTreeTests {
  private func json(_ tree: InspectedTree) throws -> [String: Any] {
    var document = InspectedDocument(.file, name: "name", facts: [])
    document.add(tree)
    var page = InspectionPage(title: "title")
    _ = page.add(document)
    return try #require(WrittenPage(page).object("document-0")?["tree"] as? [String: Any])
  }

  @Test("has columns for types, keys, counts and texts")
  func columns() throws {
    var tree = InspectedTree()
    tree.add(
      .dictionary([
        "s": "text", "list": [1, .unsignedInteger(.max), 1.5, true, false, .null, .uid(7)],
        "empty": .dictionary([:]), "set": .set([.float(0.5)]),
        "date": .date(Date(timeIntervalSinceReferenceDate: -1.5)), "data": .data(Data([1, 2, 3])),
        "again": .dictionary(["s": "other"]),
      ]))
    #expect(tree.count == 17)
    let json = try json(tree)
    #expect(json["types"] as? String == "dsaiirtfnudSrDxds")
    #expect(json["keys"] as? [String] == ["s", "list", "empty", "set", "date", "data", "again"])
    #expect(
      json["names"] as? [Int] == [-1, 0, 1, -1, -1, -1, -1, -1, -1, -1, 2, 3, -1, 4, 5, 6, 0])
    #expect(json["counts"] as? [Int] == [7, 7, 0, 1, 1])
    #expect(
      json["texts"] as? [String] == [
        "text", "1", "18446744073709551615", "1.5", "7", "0.5", "-1.5", "AQID", "other",
      ])
    #expect(json["lines"] == nil)
    #expect(json["objects"] == nil)
  }

  @Test("has the property list in data as a child, up to eight in one another")
  func nested() throws {
    var value: PlistValue = "innermost"
    for _ in 0..<9 { value = .data(try Plist.write([value], as: .binary)) }
    var tree = InspectedTree()
    tree.add(.dictionary(["data": value, "after": "x"]))
    let json = try json(tree)
    #expect(
      json["types"] as? String == "d" + String(repeating: "Xa", count: 8) + "xs")
    #expect(json["counts"] as? [Int] == [2] + Array(repeating: 1, count: 16))
  }

  @Test("has the leaf that data is as a child, and what follows in its own place")
  func nestedLeaf() throws {
    let inner = PlistValue.data(try Plist.write(.data(try Plist.write("x", as: .xml)), as: .xml))
    var tree = InspectedTree()
    tree.add([inner, "y"])
    let json = try json(tree)
    #expect(json["types"] as? String == "aXXss")
    #expect(json["counts"] as? [Int] == [2, 1, 1])
  }

  @Test("compares keys by their bytes")
  func keys() throws {
    var tree = InspectedTree()
    tree.add(.dictionary(["\u{E9}": 1, "e\u{301}": 2]))
    #expect(try json(tree)["names"] as? [Int] == [-1, 0, 1])
  }

  @Test("is not written if it has too many nodes")
  func limit() throws {
    var tree = InspectedTree(maximumCount: 5)
    tree.add([1, 2, [3, 4, 5, 6, 7]])
    #expect(tree.isTooLarge)
    #expect(tree.count == 6)
    var document = InspectedDocument(.file, name: "name", facts: [])
    document.add(tree)
    #expect(document.hasError)
    #expect(
      document.problem
        == "the property list is too large to be shown; use plutil -p -at to print a part of it")
    var page = InspectionPage(title: "title")
    _ = page.add(document)
    #expect(WrittenPage(page).object("document-0")?["tree"] == nil)
  }

  @Test("has the lines of a text document")
  func lines() throws {
    var options = PlistReadOptions()
    options.recordsLines = true
    let text =
      "<plist>\n<dict>\n<key>a</key>\n<array>\n<true/>\n<true/></array>\n<key>b</key><true/></dict></plist>"
    let document = try Plist.read(Data(text.utf8), options: options)
    var tree = InspectedTree()
    tree.add(document.value, lines: document.lines)
    #expect(try json(tree)["lines"] as? [Int] == [2, 3, 5, 6, 7])
  }

  @Test("has the objects of a binary document, also of keys")
  func objects() throws {
    let data = try Plist.write(["b": ["x", "a"], "a": "x"], as: .binary)
    let map = try #require(BinaryLayout(data))
    var tree = InspectedTree()
    tree.add(try Plist.read(data).value, map: map)
    let json = try json(tree)
    let objects = try #require(json["objects"] as? [Int])
    let keyObjects = try #require(json["keyObjects"] as? [Int])
    #expect(json["types"] as? String == "dsass")
    // The values of "a" and of the first element are one object, and the key "a" is the second element.
    #expect(objects[0] == map.topObject)
    #expect(objects[1] == objects[3])
    #expect(keyObjects[1] == objects[4])
  }

  @Test("of preferences has the layer of each value, and what is shadowed")
  func preferences() throws {
    let document = InspectedDocument(
      domain: "org.example", facts: [("user", "me")],
      layers: [
        .init(name: "managed", facts: [("file", "/etc/x.plist")]),
        .init(name: "user", facts: [], error: "cannot read"),
      ],
      entries: [
        ("a", [(0, 1), (1, [2])]), ("b", [(1, "x")]),
      ])
    #expect(document.summary == "2 keys")
    #expect(document.hasError)
    var page = InspectionPage(title: "title")
    _ = page.add(document)
    let json = try #require(WrittenPage(page).object("document-0"))
    #expect(json["kind"] as? String == "preferences")
    #expect(json["name"] as? String == "org.example")
    let layers = try #require(json["layers"] as? [[String: Any]])
    #expect(layers.map { $0["name"] as? String } == ["managed", "user"])
    #expect(layers[0]["facts"] as? [[String]] == [["file", "/etc/x.plist"]])
    #expect(layers[1]["error"] as? String == "cannot read")
    let tree = try #require(json["tree"] as? [String: Any])
    #expect(tree["types"] as? String == "diais")
    #expect(tree["layers"] as? [String: Int] == ["1": 0, "2": 1, "4": 1])
    #expect(tree["shadowed"] as? [Int] == [2])
  }
}
