import Foundation
import PropertyList
import TestSupport
import Testing
import Threading

@testable import Preferences

@Suite("A commit stamps the tracked keys that it changes")
struct StampedCommitTests {
  let folder: TemporaryFolder
  let store: PreferencesStore
  /// The seconds of the clock of the store's changes.
  private let seconds = Lock(100.0)
  private let clock: StampClock

  init() throws {
    folder = try TemporaryFolder()
    store = PreferencesStore(fileAt: folder.path("d.plist"), engine: PreferencesEngine(.system))
    clock = StampClock { [seconds] in
      Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 })
    }
    store.setStampClock(clock)
  }

  private func track(_ keys: String..., in store: PreferencesStore? = nil) throws {
    var update = StampUpdate(by: "s")
    update.tracked = keys
    try (store ?? self.store).update(update)
  }

  private func save(_ value: PlistValue?, forKey key: String = "k", at time: Double? = nil) throws {
    if let time { seconds.withLock { $0 = time } }
    store.put(value, forKey: key)
    try store.flush()
  }

  private func known(_ key: String = "k", in store: PreferencesStore? = nil) throws -> StampedValue
  {
    let stored = try (store ?? self.store).stampedValues()
    return StampedValue(stored.values[key], stored.stamps.stamp(forKey: key))
  }

  /// The seconds of the time of a key's value; nil if it is not known.
  private func time(_ key: String = "k", in store: PreferencesStore? = nil) throws -> Double? {
    try known(key, in: store).time?.date.timeIntervalSinceReferenceDate
  }

  @discardableResult
  private func write(
    _ value: PlistValue?, at time: HybridTime?, over known: StampedValue, forKey key: String = "k"
  ) throws -> PlistValue? {
    var update = StampUpdate(by: "s")
    update.writes = [.init(value, at: time, forKey: key, over: known)]
    try store.update(update)
    return store.ownValue(forKey: key)
  }

  private func remoteTime(_ seconds: Double) -> HybridTime {
    HybridTime(date: Date(timeIntervalSinceReferenceDate: seconds), origin: "remote")
  }

  /// The whole content of the file.
  private var stored: PlistDictionary {
    get throws {
      guard case .dictionary(let values) = try Plist.read(folder.data("d.plist")).value else {
        return [:]
      }
      return values
    }
  }

  @Test("Only in a domain that is tracked, and only tracked keys")
  func tracked() throws {
    try save("old")
    #expect(try stored == ["k": "old"])
    try track("k", "gone")
    #expect(try time() == nil)
    try save("new", at: 200)
    try save(1, forKey: "other", at: 300)
    #expect(try time() == 200)
    try save("new", at: 400)
    #expect(try time() == 200)
    try save(nil, at: 500)
    #expect(try time() == 500)
    #expect(try known().hash == 0)
    #expect(try known("other").stamp == nil)
    #expect(try known("gone").stamp == nil)
  }

  @Test("A clock that goes back only raises the counter, and one origin is kept")
  func order() throws {
    try track("k")
    try save(1, at: 200)
    let first = try #require(try known().time)
    try save(2, at: 100)
    let second = try #require(try known().time)
    #expect(second.date == first.date)
    #expect((first.counter, second.counter) == (0, 1))
    #expect(first.origin == second.origin)
    #expect(first.origin.utf8.count == 16)
  }

  @Test("Nothing but the file shows the reserved key")
  func hidden() throws {
    let keys = Recorder<String>()
    let observation = store.observeOwnDomain { keys.record($0) }
    try track("k")
    try save(1)
    let other = PreferencesStore(fileAt: folder.path("d.plist"), engine: PreferencesEngine(.system))
    for store in [store, other] {
      #expect(store.ownValue(forKey: Stamps.key) == nil)
      #expect(store.plistValue(forKey: Stamps.key) == nil)
      #expect(try store.update { Array($0.keys) } == ["k"])
      #expect(
        store.persistentDomain(forName: store.domain).map { Array($0.keys) } ?? ["k"] == ["k"])
    }
    try store.export(to: folder.path("export.plist"))
    #expect(try Plist.read(folder.data("export.plist")).value == ["k": 1])
    let text = try stored[Stamps.key]
    try other.import(from: folder.path("d.plist"), replacesAll: true)
    #expect(try stored[Stamps.key] == text)
    try other.import(from: folder.path("export.plist"), replacesAll: true)
    #expect(try stored[Stamps.key] == text)
    store.put("own", forKey: Stamps.key)
    try store.flush()
    #expect(try stored[Stamps.key] == text)
    #expect(store.ownValue(forKey: Stamps.key) == nil)
    observation.cancel()
    #expect(Set(keys.all) == ["k", Stamps.key])
  }

  @Test("A check that refuses a file still says where")
  func lines() throws {
    try track("k")
    try save(1)
    struct Refusal: LocatedError {
      func description(line: (PlistKeyPath) -> Int?) -> String {
        "line \(line(PlistKeyPath("k")).map(String.init) ?? "none")"
      }
    }
    let other = PreferencesStore(fileAt: folder.path("d.plist"), engine: PreferencesEngine(.system))
    let check = other.user.add { _ in throw Refusal() }
    defer { check.cancel() }
    let text = try #require(other.problems.first.map { "\($0)" })
    #expect(text.hasSuffix("refused by the program: line 10"), "\(text)")
  }

  @Test("Another process that knows nothing of synchronization stamps its changes")
  func otherProcess() throws {
    try track("k")
    try save(1, at: 200)
    let origin = try known().time?.origin
    let other = PreferencesStore(fileAt: folder.path("d.plist"), engine: PreferencesEngine(.system))
    other.set(2, forKey: "k")
    try other.flush()
    store.synchronize()
    #expect(store.integer(forKey: "k") == 2)
    let time = try #require(try known().time)
    #expect(time.date.timeIntervalSinceNow > -3600)
    #expect(time.origin == origin)
  }

  @Test("A value that was set is a change even if the file has returned to it")
  func setBack() throws {
    try track("k")
    try save("old", at: 200)
    let old = try folder.data("d.plist")
    try save("new", at: 300)
    try folder.write(old, to: "d.plist")
    try save("old", at: 400)
    #expect(try time() == 400)
  }

  @Test("A copy at another path has an origin of its own")
  func copy() throws {
    try track("k")
    try save(1, at: 200)
    try FileManager.default.copyItem(
      atPath: folder.path("d.plist"), toPath: folder.path("copy.plist"))
    let copy = PreferencesStore(
      fileAt: folder.path("copy.plist"), engine: PreferencesEngine(.system))
    #expect(try known(in: copy) == known())
    copy.set(2, forKey: "k")
    try copy.flush()
    #expect(try known(in: copy).time?.origin != known().time?.origin)
    #expect(try time() == 200)
  }

  @Test(
    "A program without stamps makes a hash that does not fit, and an older copy a time that is earlier"
  )
  func foreign() throws {
    try track("k")
    try save(1, at: 200)
    let old = try folder.data("d.plist")
    try save(2, at: 300)
    var values = try stored
    values["k"] = 3
    try folder.write(Plist.write(.dictionary(values), as: .xml), to: "d.plist")
    store.synchronize()
    #expect(try known().stamp?.time.date.timeIntervalSinceReferenceDate == 300)
    #expect(try time() == nil)
    // A commit of another key does not change that.
    try save(1, forKey: "other")
    #expect(try time() == nil)
    try folder.write(old, to: "d.plist")
    store.synchronize()
    #expect(try time() == 200)
    try save(4, at: 100)
    #expect(try known().time?.counter == 1)
  }

  @Test(
    "A file that loses its stamps gets them again without times, also by recovery",
    arguments: [0, 1, 2])
  func lost(way: Int) throws {
    try track("k", "l")
    try save(1, at: 200)
    switch way {
    case 0: try FileManager.default.removeItem(atPath: folder.path("d.plist"))
    case 1: try folder.write(Plist.write(["k": 1], as: .xml), to: "d.plist")
    default:
      try folder.write("<plist>", to: "d.plist")
      store.synchronize()
      #expect(try store.recover() != nil)
    }
    store.synchronize()
    #expect(store.ownValue(forKey: "k") == (way == 1 ? 1 : nil))
    #expect(try time() == nil)
    try save(2, forKey: "l", at: 300)
    #expect(try known().stamp == nil)
    #expect(try time("l") == 300)
    let stamps = try #require(
      try stored[Stamps.key].flatMap { value -> Stamps? in
        if case .string(let text) = value { Stamps(text) } else { nil }
      })
    #expect(stamps.isTracked("k", by: "s"))
  }

  @Test("A domain without values keeps its file for the stamps, until the last tracker has left")
  func empty() throws {
    try track("k")
    #expect(try Array(stored.keys) == [Stamps.key])
    try save(1, at: 200)
    try save(nil, at: 300)
    #expect(try time() == 300)
    var update = StampUpdate(by: "s")
    update.untracked = ["k"]
    try store.update(update)
    #expect(try stored == [:])
    try save(1)
    #expect(try stored == ["k": 1])
  }

  @Test("A file held to XML keeps the times of dates that are rounded")
  func rounding() throws {
    let date = PlistValue.date(Date(timeIntervalSinceReferenceDate: 1.5))
    try track("k")
    try save(date, at: 200)
    store.user.pin(.xml)
    try save(1, forKey: "other", at: 300)
    #expect(store.ownValue(forKey: "k") == .date(Date(timeIntervalSinceReferenceDate: 1)))
    #expect(try time() == 200)
    let known = try known()
    try write(.date(Date(timeIntervalSinceReferenceDate: 9.5)), at: remoteTime(400), over: known)
    #expect(store.ownValue(forKey: "k") == .date(Date(timeIntervalSinceReferenceDate: 9)))
    #expect(try time() == 400)
  }

  @Test("A value from elsewhere replaces what the synchronizer knows, and earlier values")
  func writes() throws {
    try track("k")
    let absent = try known()
    #expect(try write("a", at: remoteTime(200), over: absent) == "a")
    #expect(try known().time == remoteTime(200))
    // An earlier value was saved in the meantime.
    #expect(try write("b", at: remoteTime(300), over: absent) == "b")
    // A later value was saved in the meantime.
    let old = try known()
    try save("own", at: 500)
    #expect(try write("c", at: remoteTime(400), over: old) == "own")
    // The change that is being saved counts.
    let own = try known()
    seconds.withLock { $0 = 600 }
    store.set("unsaved", forKey: "k")
    #expect(try write("d", at: remoteTime(550), over: own) == "unsaved")
    #expect(try time() == 600)
    // A better time for the value.
    #expect(try write("unsaved", at: remoteTime(50), over: known()) == "unsaved")
    #expect(try time() == 50)
    #expect(try write(nil, at: remoteTime(700), over: known()) == nil)
    #expect(try time() == 700)
    #expect(try write(nil, at: nil, over: known()) == nil)
    #expect(try known() == absent)
  }

  @Test(
    "A value that a program without stamps has set is replaced only if the synchronizer knows it")
  func foreignWrites() throws {
    try track("k")
    try save("own", at: 200)
    let old = try known()
    var values = try stored
    values["k"] = "theirs"
    try folder.write(Plist.write(.dictionary(values), as: .xml), to: "d.plist")
    #expect(try write("new", at: remoteTime(300), over: old) == "theirs")
    #expect(try write("new", at: remoteTime(300), over: known()) == "new")
  }

  @Test("A change stays later than the value that it has replaced when that value gets its time")
  func successor() throws {
    try save(1)
    try track("k")
    let known = try known()
    try save(2, at: 50)
    #expect(try write(1, at: remoteTime(200), over: known) == 2)
    let time = try #require(try self.known().time)
    #expect(time.date == remoteTime(200).date)
    #expect(time.counter == 1)
    #expect(time.origin != "remote")
  }

  @Test("Observers see a value from elsewhere once it is saved, and no value that is taken back")
  func observers() throws {
    try track("k")
    try save("own", at: 200)
    let values = Recorder<PlistValue?>()
    let observation = store.observe("k") { values.record($0.newValue) }
    let known = try known()
    try write("new", at: remoteTime(300), over: known)
    try write("late", at: remoteTime(250), over: known)
    observation.cancel()
    #expect(values.all == ["new"])
  }

  @Test("A domain in memory has stamps in memory")
  func memory() throws {
    let store = PreferencesStore.inMemory()
    store.setStampClock(clock)
    try track("k", in: store)
    store.set(1, forKey: "k")
    try store.flush()
    #expect(try time(in: store) == 100)
  }

  @Test("Text of a later version stays as it is, and stops no commit")
  func laterVersion() throws {
    try folder.write(Plist.write(["k": 1, Stamps.key: "version 2\n"], as: .xml), to: "d.plist")
    try save(2)
    #expect(try stored == ["k": 2, Stamps.key: "version 2\n"])
  }
}
