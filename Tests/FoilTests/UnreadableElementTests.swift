import Foil
import PropertyList
import TestSupport
import Testing

@Suite("Collections with elements that cannot be read")
struct UnreadableElementTests {
  @Test("The readable elements are read, and a write keeps the others")
  func array() {
    let (log, store) = (ErrorLog(), PreferencesStore.inMemory())
    store.set(["dark", "sepia", "light"], forKey: log.key)
    @FoilDefaultStorage(key: log.key, userDefaults: store) var themes = [Theme]()
    #expect(themes == [.dark, .light])
    themes.removeLast()
    #expect(store.plistValue(forKey: log.key) == ["dark", "sepia"])
    #expect(themes == [.dark])
    #expect(log.messages == ["cannot be read: expected a value of type Theme (at 1)"])
    themes = []
    #expect(store.plistValue(forKey: log.key) == [])
  }

  @Test("An optional property does the same, and nil removes all elements")
  func dictionary() {
    let (log, store) = (ErrorLog(), PreferencesStore.inMemory())
    store.set(["night": "dark", "noon": 7], forKey: log.key)
    @FoilDefaultStorageOptional(key: log.key, userDefaults: store) var themes: [String: Theme]?
    #expect(themes == ["night": .dark])
    themes?["night"] = .light
    #expect(store.plistValue(forKey: log.key) == ["night": "light", "noon": 7])
    #expect(log.messages == ["cannot be read: expected a string, found an integer (at noon)"])
    themes = nil
    #expect(store.plistValue(forKey: log.key) == nil)
  }
}
