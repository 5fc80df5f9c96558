import Defaults
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("reset(k1, k2, ...), reset([keys]), reset(names), removeAll(suite:)")
struct ResetTests {
  private let store = PreferencesStore.inMemory()
  private let number: Defaults.Key<Int>
  private let text: Defaults.Key<String?>
  private let flag: Defaults.Key<Bool>

  init() {
    number = Defaults.Key("number", default: 1, suite: store)
    text = Defaults.Key("text", suite: store)
    flag = Defaults.Key("flag", suite: .inMemory()) { true }
    Defaults[number] = 2
    Defaults[text] = "a"
    Defaults[flag] = false
  }

  private var hasDefaults: [Bool] {
    [Defaults[number] == 1, Defaults[text] == nil, Defaults[flag]]
  }

  @Test("Keys of any type and suite are reset together")
  func keys() {
    Defaults.reset(number)
    #expect(hasDefaults == [true, false, false])
    Defaults.reset(text, flag)
    #expect(hasDefaults == [true, true, true])
    #expect(store.persistentDomain(forName: store.domain) == nil)
    #expect(store.integer(forKey: "number") == 1)
  }

  @Test("Keys are reset in their own suites, whichever is named")
  func keysAndSuite() {
    Defaults.reset(number, text, suite: .inMemory())
    #expect(hasDefaults == [true, true, false])
    _Defaults.reset(flag, suite: store)
    #expect(hasDefaults == [true, true, true])
  }

  @Test("A list of keys is reset, and a single key resets itself")
  func list() {
    let keys: [Defaults._AnyKey] = [text, flag]
    Defaults.reset(keys)
    #expect(hasDefaults == [false, true, true])
    number.reset()
    #expect(hasDefaults == [true, true, true])
  }

  @Test("Keys are reset by name in the given suite")
  func names() {
    Defaults.reset("number", "text", "flag", "nothing", suite: store)
    #expect(hasDefaults == [true, true, false])
    Defaults.reset(["flag"], suite: flag.suite)
    #expect(hasDefaults == [true, true, true])
  }

  @Test("Removing all empties the suite but keeps registered defaults", arguments: [false, true])
  func all(byStore: Bool) {
    store.set(1, forKey: "of no key")
    if byStore { store.removeAll() } else { Defaults.removeAll(suite: store) }
    #expect(hasDefaults == [true, true, false])
    #expect(store.object(forKey: "of no key") == nil)
    #expect(store.integer(forKey: "number") == 1)
  }

  @Test("Observers of each key are notified, unless the stored value was the default")
  func events() {
    let recorder = Recorder<String>()
    let other = Defaults.Key<Int>("other", default: 5, suite: store)
    let observations = [
      Defaults.observe(number, options: []) {
        recorder.record("number \($0.oldValue) \($0.newValue)")
      },
      Defaults.observe(text, options: []) { recorder.record("text \($0.newValue ?? "none")") },
      Defaults.observe(other, options: []) { recorder.record("other \($0.newValue)") },
    ]
    func events(_ reset: () -> Void) -> Set<String> {
      Defaults.withoutPropagation {
        Defaults[number] = 2
        Defaults[text] = "a"
        Defaults[other] = 5
      }
      reset()
      return Set(recorder.take())
    }
    let expected: Set = ["number 2 1", "text none"]
    #expect(events { Defaults.reset(number, text, other) } == expected)
    #expect(events { Defaults.reset("number", "text", "other", suite: store) } == expected)
    #expect(events { Defaults.removeAll(suite: store) } == expected)
    #expect(events { store.removeAll() } == expected)
    withExtendedLifetime(observations) {}
  }
}
