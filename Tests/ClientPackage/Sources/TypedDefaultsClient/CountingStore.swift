import TypedDefaults

/// A program's custom store, with the requirements of all platforms.
final class CountingStore<Value: DefaultConvertible>: DefaultStoreType {
  private var value: Value?
  private(set) var count = 0

  func set(_ value: Value) {
    self.value = value
    count += 1
  }

  func get() -> Value? { value }

  func remove() { value = nil }
}
