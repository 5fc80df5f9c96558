import Defaults
import Foundation
import PropertyList
import Testing

@Suite("Custom collections and sets")
struct CollectionTypeTests {
  struct Bag<Element: Defaults.Serializable>: Collection, Defaults.CollectionSerializable {
    var items: [Element]

    init(_ elements: [Element]) { items = elements }

    var startIndex: Int { items.startIndex }
    var endIndex: Int { items.endIndex }
    func index(after index: Int) -> Int { items.index(after: index) }
    subscript(position: Int) -> Element { items[position] }
    mutating func insert(_ element: Element, at index: Int) { items.insert(element, at: index) }
  }

  struct SetBag<Element: Defaults.Serializable & Hashable>: SetAlgebra,
    Defaults.SetAlgebraSerializable
  {
    var store = Set<Element>()

    init() {}
    init(_ store: Set<Element>) { self.store = store }

    func toArray() -> [Element] { Array(store) }

    func contains(_ member: Element) -> Bool { store.contains(member) }
    func union(_ other: Self) -> Self { Self(store.union(other.store)) }
    func intersection(_ other: Self) -> Self { Self(store.intersection(other.store)) }
    func symmetricDifference(_ other: Self) -> Self { Self(store.symmetricDifference(other.store)) }
    @discardableResult
    mutating func insert(_ member: Element) -> (inserted: Bool, memberAfterInsert: Element) {
      store.insert(member)
    }
    mutating func remove(_ member: Element) -> Element? { store.remove(member) }
    mutating func update(with member: Element) -> Element? { store.update(with: member) }
    mutating func formUnion(_ other: Self) { store.formUnion(other.store) }
    mutating func formIntersection(_ other: Self) { store.formIntersection(other.store) }
    mutating func formSymmetricDifference(_ other: Self) {
      store.formSymmetricDifference(other.store)
    }
  }

  @Test("A custom collection is stored as an array")
  func collection() {
    let fixture = KeyFixture()
    let key = fixture.key(default: Bag(["Hello", "World!"]))
    #expect(Defaults[key][0] == "Hello")
    #expect(Defaults[key][1] == "World!")
    Defaults[key].insert("Oh", at: 0)
    #expect(fixture.stored == ["Oh", "Hello", "World!"])
    #expect(Defaults[fixture.key(default: Bag<String>([]))].items == ["Oh", "Hello", "World!"])
  }

  @Test("A custom collection may have bridged elements and be nested")
  func nestedCollection() {
    let fixture = KeyFixture()
    let key = fixture.key(default: [String: Bag<URL>]())
    Defaults[key]["a"] = Bag([URL(string: "https://example.org")!])
    #expect(fixture.stored == ["a": [#""https:\/\/example.org""#]])
    #expect(Defaults[key]["a"]?.first?.host == "example.org")
  }

  @Test("A custom set is stored as an array in a stable order")
  func setAlgebra() {
    let fixture = KeyFixture()
    let key = fixture.key(default: SetBag(["Hello", "World!"]))
    #expect(Defaults[key].contains("Hello"))
    #expect(Defaults[key].contains("World!"))
    Defaults[key].insert("Ada")
    #expect(fixture.stored == ["Ada", "Hello", "World!"])
    #expect(Defaults[fixture.key(default: SetBag<String>())] == SetBag(["World!", "Ada", "Hello"]))
  }

  /// A collection that is also Codable.
  struct Sack: Collection, Codable, Hashable, Defaults.CollectionSerializable {
    var items: [Int]

    init(_ elements: [Int]) { items = elements }

    var startIndex: Int { items.startIndex }
    var endIndex: Int { items.endIndex }
    func index(after index: Int) -> Int { items.index(after: index) }
    subscript(position: Int) -> Int { items[position] }
  }

  @Test("A custom collection is stored as an array even if it is Codable")
  func codableCollection() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(Sack([2, 1]), default: Sack([])))
    #expect(fixture.stored == [2, 1])
  }

  @Test(
    "A stored value other than an array reads as the default",
    arguments: ["text", 1, ["a": 1]] as [PlistValue])
  func badData(stored: PlistValue) {
    let fixture = KeyFixture(stored: stored)
    #expect(Defaults[fixture.key(default: Bag([1]))].items == [1])
    #expect(Defaults[fixture.key(default: SetBag([2]))] == SetBag([2]))
    #expect(fixture.failures.count == 2)
    #expect(fixture.stored == stored)
  }
}
