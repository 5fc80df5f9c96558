import Foil
import Foundation
import PropertyList
import TestSupport
import Testing
import Threading

@Suite("@FoilDefaultStorage stores a value, @FoilDefaultStorageOptional a value or nil")
struct FoilDefaultStorageTests {
  private let store = PreferencesStore.inMemory()

  @Test("The default is registered, and is read until a value is set")
  func registration() {
    @FoilDefaultStorage(key: "k", userDefaults: store) var volume = 0.5
    #expect(store.double(forKey: "k") == 0.5)
    #expect(store.origin(forKey: "k")?.layer.kind == .registration)
    #expect(volume == 0.5)
    volume = 0.75
    #expect(store.origin(forKey: "k")?.layer.kind != .registration)
    store.removeObject(forKey: "k")
    #expect(volume == 0.5)
  }

  @Test("A container can be changed in place")
  func inPlace() {
    @FoilDefaultStorage(key: "k", userDefaults: store) var names: [String: [Int]] = [:]
    names["a", default: []].append(1)
    names["a", default: []].append(2)
    #expect(store.plistValue(forKey: "k") == ["a": [1, 2]])
  }

  @Test("Optional: nothing is registered, and setting nil removes the value")
  func optional() {
    @FoilDefaultStorageOptional(key: "k", userDefaults: store) var name: String?
    #expect(name == nil)
    #expect(!store.containsValue(forKey: "k"))
    name = "Ada"
    #expect(store.string(forKey: "k") == "Ada")
    name = nil
    #expect(!store.containsValue(forKey: "k"))
    #expect(name == nil)
  }

  @Test("Optional: a value of another type is nil, false is not")
  func mismatch() {
    @FoilDefaultStorageOptional(key: "k", userDefaults: store) var flag: Bool?
    store.set("x", forKey: "k")
    #expect(flag == nil)
    #expect(store.plistValue(forKey: "k") == "x")
    flag = false
    #expect(flag == false)
  }

  @Test("Wrappers are equal and hash alike if their keys and their values do")
  func equality() {
    func check<Wrapper: Hashable>(
      _ make: (String, PreferencesStore) -> Wrapper, _ set: (Wrapper) -> Void
    ) {
      let (one, other) = (make("a", .inMemory()), make("a", .inMemory()))
      #expect(one == other)
      #expect(Set([one, other]).count == 1)
      set(one)
      #expect(one != other)
      #expect(Set([one, other]).count == 2)
      set(other)
      #expect(one == other)
      #expect(Set([one, make("b", .inMemory())]).count == 2)
      let elsewhere = make("b", .inMemory())
      set(elsewhere)
      #expect(one != elsewhere)
    }
    check {
      FoilDefaultStorage(wrappedValue: 1, key: $0, userDefaults: $1)
    } _: {
      $0.wrappedValue = 3
    }
    check {
      FoilDefaultStorageOptional<Int>(key: $0, userDefaults: $1)
    } _: {
      $0.wrappedValue = 3
    }
  }

  @Test("An observer may read a property of a structure while it is being set")
  func readingObserver() {
    struct Settings: Sendable {
      @FoilDefaultStorage var volume: Int
    }
    final class Owner: Sendable {
      let settings: Settings
      init(_ store: PreferencesStore) {
        settings = Settings(
          volume: FoilDefaultStorage(wrappedValue: 1, key: "volume", userDefaults: store))
      }
    }
    let owner = Owner(store)
    let seen = Recorder<Int>()
    let subscription = owner.settings.$volume.sink { _ in seen.record(owner.settings.volume) }
    owner.settings.volume = 2
    subscription.cancel()
    #expect(seen.all == [1, 2])
  }

  @Test("A wrapper tells its key")
  func keys() {
    struct Settings {
      @FoilDefaultStorage(key: "a") var number = 1
      @FoilDefaultStorageOptional(key: "b") var text: String?
      var keys: [String] { [_number.key, _text.key] }
    }
    #expect(Settings().keys == ["a", "b"])
  }

  @Test("Two wrappers of a key share its value")
  func shared() {
    @FoilDefaultStorage(key: "k", userDefaults: store) var one = "a"
    @FoilDefaultStorageOptional(key: "k", userDefaults: store) var two: String?
    // The registered default belongs to the store.
    #expect(two == "a")
    two = "b"
    #expect(one == "b")
    two = nil
    #expect(one == "a")
  }

  /// A type that counts how often it is decoded.
  struct Counted: Codable, UserDefaultsSerializable {
    static let count = Lock(0)
    var number = 0

    init(number: Int) { self.number = number }

    init(from decoder: any Decoder) throws {
      Self.count.withLock { $0 += 1 }
      number = try decoder.singleValueContainer().decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  @Test("A Codable value is decoded once for all wrappers of a type")
  func decoding() {
    @FoilDefaultStorage(key: "k", userDefaults: store) var counted = Counted(number: 0)
    @FoilDefaultStorageOptional(key: "k", userDefaults: store) var optional: Counted?
    for number in 1...3 {
      counted = Counted(number: number)
      let before = Counted.count.withLock { $0 }
      for _ in 1...5 {
        #expect(counted.number == number)
        #expect(optional?.number == number)
      }
      #expect(Counted.count.withLock { $0 } == before + 2)
    }
  }

  @Test("Each read creates an instance of a class, also of the default")
  func classes() {
    let wrapper = FoilDefaultStorage(
      wrappedValue: Counter(count: 1), key: "k", userDefaults: store)
    wrapper.wrappedValue = Counter(count: 5)
    #expect(wrapper.wrappedValue.count == 5)
    #expect(wrapper.wrappedValue !== wrapper.wrappedValue)
    store.set("x", forKey: "k")
    let first = wrapper.wrappedValue
    first.count = 9
    #expect(wrapper.wrappedValue.count == 1)
  }

  @Test("Values are read by a store that is opened on the file later")
  func persistence() throws {
    let temporary = try TemporaryStore()
    let date = Date(timeIntervalSinceReferenceDate: 1000)
    do {
      @FoilDefaultStorage(key: "p", userDefaults: temporary.store) var profile = Profile()
      @FoilDefaultStorageOptional(key: "d", userDefaults: temporary.store) var visit: Date?
      profile.name = "Ada"
      visit = date
      try temporary.store.flush()
    }
    let store = PreferencesStore(fileAt: temporary.store.domain)
    @FoilDefaultStorage(key: "p", userDefaults: store) var profile = Profile(level: 9)
    @FoilDefaultStorageOptional(key: "d", userDefaults: store) var visit: Date?
    #expect(profile == Profile(name: "Ada"))
    #expect(visit == date)
  }
}
