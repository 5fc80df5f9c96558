import Defaults
import Foundation
import Testing

@testable import DefaultsClient

private typealias UserDefaults = DefaultsClient.UserDefaults

@Suite("What the documentation of Defaults says of keys and values")
struct DefaultsValueTests {
  @Test("A value is the default, then what is set, and can be changed in place")
  func values() {
    #expect(Defaults[.threshold] == 0.8)
    Defaults[.threshold] = 0.5
    Defaults[.threshold] += 0.25
    #expect(Defaults[.threshold] == 0.75)
    #expect(UserDefaults.standard.double(forKey: "threshold") == 0.75)
    Defaults.reset(.threshold)
    #expect(Defaults[.threshold] == 0.8)
  }

  @Test("An optional key is nil at first and when it has been reset")
  func optional() {
    #expect(Defaults[.place] == nil)
    Defaults[.place] = "Lund"
    #expect(Defaults[.place] == "Lund")
    Defaults.reset(.place)
    #expect(Defaults[.place] == nil)
    Defaults[.place] = "Ystad"
    Defaults[.place] = nil
    #expect(UserDefaults.standard.object(forKey: "place") == nil)
  }

  @Test("A default that is made when it is needed is not registered")
  func dynamicDefault() {
    #expect(Defaults[.attempts] == 3)
    #expect(Defaults[.lens] == Lens(aperture: 1.8))
    #expect(UserDefaults.standard.object(forKey: "attempts") == nil)
    #expect(UserDefaults.standard.object(forKey: "lens") == nil)
  }

  @Test("A default is registered with the store")
  func registration() {
    #expect(UserDefaults.standard.bool(forKey: Defaults.Keys.isFrozen.name))
    #expect(UserDefaults.standard[.isFrozen])
    UserDefaults.standard[.isFrozen] = false
    #expect(!Defaults[.isFrozen])
  }

  @Test("A key of a suite has its value there")
  func suite() {
    #expect(Defaults[.isDimmed])
    Defaults[.isDimmed] = false
    #expect(!displayDefaults[.isDimmed])
    #expect(!displayDefaults.bool(forKey: "isDimmed"))
    #expect(UserDefaults.standard[.isDimmed], "what is registered is registered for all stores")
    Defaults.removeAll(suite: displayDefaults)
    #expect(Defaults[.isDimmed])
  }

  @Test("Keys stand alone, in enumerations, and have names that are made when the program runs")
  func keys() {
    #expect(Defaults[isMetric])
    #expect(Defaults[Network.proxy] == "none")
    Defaults[Network.Limits.rate] += 5
    #expect(Defaults[Network.Limits.rate] == 255)
    Defaults[.isEnabled("roof")].toggle()
    #expect(Defaults[.isEnabled("roof")])
    #expect(!Defaults[.isEnabled("cellar")])
    Defaults.reset("isEnabled-roof")
    #expect(!Defaults[.isEnabled("roof")])
  }

  @Test("Keys are given to functions, classes and wrappers, and changed on other threads")
  func keyHolders() async {
    let policy = RetryPolicy(key: .retries)
    await Task.detached { policy.retries += 2 }.value
    #expect(Defaults[.retries] == 5)
    let diagnostics = Diagnostics()
    diagnostics.isVerbose = true
    #expect(Defaults[.isVerbose])
    Defaults.Keys.isVerbose.toggle()
    #expect(!diagnostics.isVerbose)
    #expect(Token.current == nil)
    Token.current = Token(text: "abc")
    #expect(Token.current?.text == "abc")
  }

  @Test("Enumerations are stored as their raw values, in collections too")
  func enumerations() {
    #expect(Defaults[.interval].rawValue == "1 Hour")
    Defaults[.interval] = .tenMinutes
    #expect(UserDefaults.standard.string(forKey: "interval") == "10 Minutes")
    Defaults[.intervals]["roof"] = .hour
    #expect(
      UserDefaults.standard.dictionary(forKey: "intervals") as? [String: String]
        == ["roof": "1 Hour"])
  }

  @Test("Codable types are stored as text of JSON")
  func codable() {
    #expect(Defaults[.keeper].name == "Ida")
    Defaults[.substitute] = Keeper(name: "Per", town: "Ystad")
    #expect(
      UserDefaults.standard.string(forKey: "substitute") == #"{"name":"Per","town":"Ystad"}"#)
    #expect(Defaults[.substitute]?.town == "Ystad")
    Defaults[.weather] = .wet(celsius: -1.5, millimetres: 3)
    #expect(Defaults[.weather] == .wet(celsius: -1.5, millimetres: 3))
    Defaults[.forecast] = [.unknown, .dry(celsius: 4)]
    #expect(Defaults[.forecast] == [.unknown, .dry(celsius: 4)])
    Defaults[.history] = History(elements: [History(elements: [1, 2]), History(elements: [])])
    #expect(Defaults[.history]?.elements.map(\.elements) == [[1, 2], []])
    let profile = Defaults[.profile]
    profile.title = "north"
    #expect(Defaults[.profile].title == "untitled", "an object is stored when it is set")
    Defaults[.profile] = profile
    #expect(Defaults[.profile].title == "north")
  }

  @Test("A type that is Codable and has raw values can prefer these")
  func preferRawRepresentable() {
    Defaults[.mediaType] = .stream
    #expect(UserDefaults.standard.string(forKey: "mediaType") == "application/octet-stream")
  }

  @Test("Types of the standard library and Foundation, and collections of them to any depth")
  func types() throws {
    Defaults[.nested].append(["a": [["b": 1]]])
    #expect(Defaults[.nested] == [["a": [["b": 1]]]])
    Defaults[.thresholds][7] = "seven"
    #expect(Defaults[.thresholds] == [7: "seven"])
    #expect(Defaults[.range] == -10...40)
    Defaults[.range] = 0...5
    #expect(Defaults[.range] == 0...5)
    let date = Date(timeIntervalSinceReferenceDate: 100)
    Defaults[.span] = date..<date.addingTimeInterval(60)
    #expect(Defaults[.span]?.upperBound == date.addingTimeInterval(60))
    let page = try #require(URL(string: "https://example.org/a?b=c"))
    Defaults[.page] = page
    #expect(Defaults[.page] == page)
    let identifier = UUID()
    Defaults[.station] = identifier
    #expect(Defaults[.station] == identifier)
    Defaults[.scale] *= 2
    #expect(Defaults[.scale] == 3)
    #expect(Defaults[.alarms].contains(.frost))
    Defaults[.alarms].insert(.storm)
    #expect(Defaults[.alarms] == [.frost, .storm])
  }

  @Test("A class with secure coding is archived")
  func secureCoding() {
    #expect(Defaults[.seal].text == "new")
    Defaults[.seal] = Seal(text: "second")
    #expect(Defaults[.seal].text == "second")
    #expect(UserDefaults.standard.data(forKey: "seal") != nil)
  }

  @Test("A bridge of one's own, of values and of those in collections")
  func bridge() {
    #expect(Defaults[.site].name == "Home")
    let site = Site(name: "Pier", region: "South")
    Defaults[.site] = site
    #expect(
      UserDefaults.standard.dictionary(forKey: "site") as? [String: String]
        == ["name": "Pier", "region": "South"])
    #expect(Defaults[.siteList][0].name == "Home")
    Defaults[.siteList].append(site)
    #expect(Defaults[.siteList] == [.home, site])
    Defaults[.siteSet].insert(site)
    #expect(Defaults[.siteSet] == [.home, site])
    #expect(Defaults[.sitesByName]["home"]?.region == "North")
    Defaults[.sitesByName]["pier"] = site
    #expect(Defaults[.sitesByName]["pier"] == site)
  }

  @Test("Collections and sets of one's own")
  func collections() {
    #expect(Defaults[.track][1] == "Ystad")
    Defaults[.track] = Track(["Malmö"])
    #expect(UserDefaults.standard.stringArray(forKey: "track") == ["Malmö"])
    #expect(Defaults[.track].first == "Malmö")
    #expect(Defaults[.labels].contains("hill"))
    Defaults[.labels].insert("moor")
    #expect(Defaults[.labels] == Labels(["coast", "hill", "moor"]))
  }

  @Test("Values of any type")
  func anySerializable() {
    #expect(Defaults[.anything].get(Int.self) == 1)
    Defaults[.anything] = "word"
    #expect(Defaults[.anything].get() == "word")
    Defaults[.anything].set(MediaType.stream)
    #expect(Defaults[.anything].get(MediaType.self) == .stream)
    Defaults[.extras]["text"] = "word"
    Defaults[.extras]["number"] = 3
    Defaults[.extras]["truth"] = true
    Defaults[.extras]["media"] = Defaults.AnySerializable(MediaType.json)
    let text: String? = Defaults[.extras]["text"]?.get()
    #expect(text == "word")
    #expect(Defaults[.extras]["number"]?.get(Int.self) == 3)
    #expect(Defaults[.extras]["truth"]?.get(Bool.self) == true)
    #expect(Defaults[.extras]["media"]?.get(MediaType.self) == .json)
    #expect(Defaults[.mixture].map { $0.get(String.self) } == [nil, "two", nil, nil])
    #expect(Defaults[.mixture][3].get(Double.self) == 4.5)
  }

  @Test("Types of others get their conformance from the program, and are stored as it says")
  func foreignTypes() throws {
    Defaults[.price] = 12.5
    #expect(UserDefaults.standard.string(forKey: "price") == "12.5")
    Defaults[.prices] = [0.1, 2]
    #expect(UserDefaults.standard.stringArray(forKey: "prices") == ["0.1", "2"])
    let zone = try #require(TimeZone(identifier: "Europe/Vienna"))
    Defaults[.zone] = zone
    #expect(
      UserDefaults.standard.string(forKey: "zone") == #"{"identifier":"Europe\/Vienna"}"#)
    UserDefaults.standard.set("Europe/Vienna", forKey: "zone")
    #expect(Defaults[.zone] == zone)
    Defaults[.clock] = Clock(zone: zone)
    #expect(
      UserDefaults.standard.string(forKey: "clock") == #"{"identifier":"Europe\/Vienna"}"#)
    #expect(Defaults[.clock]?.zone == zone)
    Defaults[.patience] = .seconds(7)
    #expect(UserDefaults.standard.object(forKey: "patience") as? Double == 7)
    #expect(Defaults[.patience] == .seconds(7))
  }

  @Test("The library's bridges can be chosen, called and combined")
  func bridges() {
    Defaults[.buoy].name = "second"
    #expect(UserDefaults.standard.string(forKey: "buoy") == #"{"name":"second"}"#)
    #expect(Mooring().buoy == Buoy(name: "second"))
    #expect(roundTrip([Buoy(name: "x")], by: [Buoy].bridge) == [Buoy(name: "x")])
    #expect(roundTrip(["a": 1], by: Defaults.DictionaryBridge<String, Int>()) == ["a": 1])
    Defaults[.band] = Band(uncheckedBounds: (lower: 3, upper: 5))
    #expect(UserDefaults.standard.array(forKey: "band") as? [Int] == [3, 5])
    let gauge = Gauge()
    #expect(Defaults[.level(of: gauge)] == 3)
    Defaults.reset(.buoy, .band, suite: .standard)
    #expect(Defaults[.buoy].name == "first")
  }

  @Test("A value of any type is set as a type, and made of a dictionary with any keys")
  func anyValues() {
    var value: Defaults.AnySerializable = ["a": 1, "b": [true, "x"]]
    #expect(value.get([String: Defaults.AnySerializable].self)?["a"]?.get(Int.self) == 1)
    value.set(.stream, type: MediaType.self)
    #expect(value.get(MediaType.self) == .stream)
  }
}
