import Defaults

/// A custom set type.
struct Labels<Element: Defaults.Serializable & Hashable>: SetAlgebra {
  private var store = Set<Element>()

  init() {}

  private init(_ store: Set<Element>) {
    self.store = store
  }

  func contains(_ member: Element) -> Bool {
    store.contains(member)
  }

  func union(_ other: Labels) -> Labels {
    Labels(store.union(other.store))
  }

  func intersection(_ other: Labels) -> Labels {
    Labels(store.intersection(other.store))
  }

  func symmetricDifference(_ other: Labels) -> Labels {
    Labels(store.symmetricDifference(other.store))
  }

  @discardableResult
  mutating func insert(_ newMember: Element) -> (inserted: Bool, memberAfterInsert: Element) {
    store.insert(newMember)
  }

  mutating func remove(_ member: Element) -> Element? {
    store.remove(member)
  }

  mutating func update(with newMember: Element) -> Element? {
    store.update(with: newMember)
  }

  mutating func formUnion(_ other: Labels) {
    store.formUnion(other.store)
  }

  mutating func formIntersection(_ other: Labels) {
    store.formIntersection(other.store)
  }

  mutating func formSymmetricDifference(_ other: Labels) {
    store.formSymmetricDifference(other.store)
  }
}

extension Labels: Defaults.SetAlgebraSerializable {
  func toArray() -> [Element] {
    Array(store)
  }
}

extension Defaults.Keys {
  static let labels = Key<Labels<String>>("labels", default: Labels(["coast", "hill"]))
}
