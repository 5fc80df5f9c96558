import Foundation
import PropertyList
import Testing
import TypedDefaults

/// A store with the three methods that other platforms require.
private final class ListStore<Value: DefaultConvertible>: DefaultStoreType {
  private var values: [Value] = []
  func set(_ value: Value) { values.append(value) }
  func get() -> Value? { values.last }
  func remove() { values = [] }
}

/// A value whose stored form holds what JSONSerialization gives.
private struct Document: DefaultConvertible {
  static let key = "document"
  var text: String

  init(text: String) { self.text = text }

  init?(_ object: Any) {
    guard let entries = object as? [String: Any], let items = entries["items"] as? [Int] else {
      return nil
    }
    text = "\(items)"
  }

  func serialize() -> Any {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) ?? NSNull()
  }
}

@Suite("Stores of a program's own, and stored forms of Foundation")
struct CustomStoreTests {
  @Test("A store implements three methods; saving has nothing to do, in both spellings")
  func threeMethods() {
    let store = ListStore<Document>()
    let any: AnyStore<Document> = AnyStore(store)
    any.set(Document(text: "x"))
    #expect(any.get()?.text == "x")
    #expect(store.get()?.text == "x")
    #expect(any.synchronize())
    #expect(any.syncronize())
    #expect(store.syncronize())
    any.remove()
    #expect(store.get() == nil)
  }

  @Test("syncronize() saves what synchronize() does")
  func spelling() {
    let persistent = PersistentStore<Document>(store: .inMemory())
    persistent.set(Document(text: "{}"))
    #expect(persistent.syncronize())
    #expect(InMemoryStore<Document>().syncronize())
  }

  @Test("An AnyStore is a class")
  func reference() {
    let one = AnyStore(InMemoryStore<Document>())
    let same = one
    #expect(one === same)
    #expect(one !== AnyStore(InMemoryStore<Document>()))
  }

  @Test("What JSONSerialization gives can be a stored form")
  func json() {
    let preferences = PreferencesStore.inMemory()
    let store = PersistentStore<Document>(store: preferences)
    store.set(Document(text: #"{"items": [1, 2]}"#))
    #expect(preferences.plistValue(forKey: Document.key) == ["items": [1, 2]])
    #expect(store.get()?.text == "[1, 2]")
  }
}
