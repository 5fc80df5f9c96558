import Foil
import Foundation
import Synchronization
import Testing

@testable import FoilClient

private typealias UserDefaults = FoilClient.UserDefaults

@Suite("What the documentation of Foil says")
@MainActor
struct FoilTests {
  private let settings = AppSettings.shared
  private let store = UserDefaults.standard

  @Test("A property has its default, which is registered, and then what is set")
  func properties() {
    #expect(settings.isEnabled)
    #expect(store.bool(forKey: "isEnabled"))
    settings.isEnabled.toggle()
    #expect(!store.bool(forKey: "isEnabled"))
    settings.total += 2
    #expect(store.integer(forKey: "total") == 2)
    store.removeObject(forKey: "total")
    #expect(settings.total == 0)
  }

  @Test("Types of others get their conformance from the program, and are stored as it says")
  func foreignTypes() {
    let meter = Meter()
    meter.ticks = .max
    #expect(store.integer(forKey: "ticks") == .max)
    meter.channel = 7
    #expect(store.data(forKey: "channel") == Data("7".utf8))
    #expect(meter.channel == 7)
  }

  #if os(Linux)
    @Test("A mock takes the place of a store and of Foundation's class")
    func mock() {
      let mock = MockPreferences()
      #expect(isFirstStart(mock))
      #expect(!isFirstStart(mock))
      let preferences: [any KeyValuePreferences] = [store, Foundation.UserDefaults.standard]
      #expect(preferences.allSatisfy { $0.object(forKey: "nobody has set it") == nil })
    }
  #endif

  @Test("An optional property has no value at first, and nil deletes the one that it had")
  func optionals() {
    #expect(settings.visited == nil)
    settings.visited = Date(timeIntervalSinceReferenceDate: 9)
    #expect(store.object(forKey: "visited") as? Date == Date(timeIntervalSinceReferenceDate: 9))
    settings.visited = nil
    #expect(store.object(forKey: "visited") == nil)
  }

  @Test("Keys of an enumeration, in initializers of one's own")
  func enumeratedKeys() {
    let settings = KeyedSettings()
    settings.isPaused = true
    settings.rounds = 5
    settings.finished = .distantPast
    #expect(
      SettingsKey.allCases.map { store.object(forKey: $0.rawValue) != nil } == [true, true, true])
    for key in SettingsKey.allCases { store.removeObject(forKey: key.rawValue) }
    #expect(!settings.isPaused)
    #expect(settings.rounds == 3)
    #expect(settings.finished == nil)
  }

  @Test("A publisher brings the present value and each change until its subscription ends")
  func publisher() {
    let received = Received()
    settings.average = 0.5
    settings.follow { received.add($0) }
    settings.average = 0.75
    store.set(0.25, forKey: "average")
    settings.average = nil
    settings.stop()
    settings.average = 1
    #expect(received.values == [0.5, 0.75, 0.25, nil])
  }

  @Test("Codable types are stored as data of JSON, types with raw values as these")
  func storedTypes() throws {
    let member = Member(id: UUID(), name: "Ida")
    settings.member = member
    let data = try #require(store.data(forKey: "member"))
    #expect(try JSONDecoder().decode(Member.self, from: data) == member)
    #expect(settings.member == member)
    settings.palette = .dark
    #expect(store.string(forKey: "palette") == "dark")
    settings.palettes["night"] = [.dark, .light]
    #expect(
      store.dictionary(forKey: "palettes") as? [String: [String]] == ["night": ["dark", "light"]])
  }

  @Test("A type says itself what is stored, and may have an initializer that cannot fail")
  func customTypes() {
    settings.corner.x = 4
    #expect(store.dictionary(forKey: "corner") as? [String: Int] == ["x": 4, "y": 2])
    #expect(settings.corner == Corner(x: 4, y: 2))
    store.set("gone", forKey: "density")
    #expect(settings.density == .tight)
  }

  @Test("A property of another store, and properties of a type")
  func stores() throws {
    #expect(settings.home.host() == "example.org")
    settings.home = try #require(URL(string: "https://example.org/foil"))
    let other = try #require(UserDefaults(suiteName: "org.example.foil"))
    #expect(other.url(forKey: "home")?.path() == "/foil")
    #expect(store.url(forKey: "home")?.path() == "", "only the default, which all stores see")
    Limits.limit -= 1
    Limits.hint = "less"
    #expect(store.integer(forKey: "limit") == 9)
    #expect(store.string(forKey: "hint") == "less")
  }

  private final class Received: Sendable {
    private let list = Mutex<[Double?]>([])
    var values: [Double?] { list.withLock { $0 } }

    func add(_ value: Double?) {
      list.withLock { $0.append(value) }
    }
  }
}
