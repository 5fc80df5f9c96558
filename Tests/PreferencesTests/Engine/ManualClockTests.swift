import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

/// Real files, and time that passes when the test says so.
@Suite("An engine with a manual clock")
struct ManualClockTests {
  private let engine = PreferencesEngine.manual()
  private let events = Recorder<PreferencesEvent>()

  private func store(_ domain: String = "org.example.app") throws -> PreferencesStore {
    var options = PreferencesStore.Options(engine: engine)
    options.arguments = []
    return try PreferencesStore(domain: domain, options: options)
  }

  /// The values of the file of a store, as another process reads them.
  private func saved(_ store: PreferencesStore) throws -> PlistValue? {
    guard let data = FileManager.default.contents(atPath: try path(of: store)) else { return nil }
    return try Plist.read(data).value
  }

  private func path(of store: PreferencesStore) throws -> String { try #require(store.user.path) }

  private func write(_ text: String, to store: PreferencesStore) throws {
    try Data(text.utf8).write(to: URL(filePath: path(of: store)), options: .atomic)
  }

  private func write(_ values: PlistDictionary, to store: PreferencesStore) throws {
    try Plist.write(.dictionary(values), as: .xml)
      .write(to: URL(filePath: path(of: store)), options: .atomic)
  }

  @Test("saves a change after the delay, and later ones after another delay")
  func delay() throws {
    let store = try store()
    store.set(1, forKey: "k")
    engine.advance(by: .milliseconds(49))
    store.set(2, forKey: "l")
    #expect(try saved(store) == nil)
    #expect(engine.statistics.unsavedCount == 1)
    #expect(engine.statistics.oldestUnsavedAge == .milliseconds(49))
    engine.advance(by: .milliseconds(1))
    #expect(try saved(store) == ["k": 1, "l": 2])
    #expect(engine.statistics.unsavedCount == 0)
    store.set(3, forKey: "k")
    engine.advance(by: .milliseconds(49))
    #expect(try saved(store) == ["k": 1, "l": 2])
    engine.advance(by: .milliseconds(1))
    #expect(try saved(store) == ["k": 3, "l": 2])
    #expect(engine.statistics.threadCount == 0)
  }

  @Test("sees that a file is missing that was saved and removed between two polls")
  func savedAndRemoved() throws {
    let store = try store()
    let values = Recorder<PlistValue?>()
    let observation = store.observe("k") { change in values.record(change.newValue) }
    store.set(1, forKey: "k")
    engine.advance(by: .milliseconds(60))
    try FileManager.default.removeItem(atPath: path(of: store))
    engine.advance(by: .seconds(1))
    #expect(values.all == [1, nil])
    withExtendedLifetime(observation) {}
  }

  @Test("tries again one, two, four, eight and each sixteen seconds after a failure")
  func retries() throws {
    let store = try store()
    try store.update { $0["k"] = 0 }
    try write("bad", to: store)
    let observation = engine.onEvent { [events] in events.record($0) }
    store.set(1, forKey: "k")
    var attempts: [Int] = []
    for second in 0..<64 {
      engine.advance(by: second == 0 ? .milliseconds(50) : .seconds(1))
      if engine.statistics.commits.failureCount > attempts.count { attempts.append(second) }
    }
    #expect(attempts == [0, 1, 3, 7, 15, 31, 47, 63])
    #expect(events.all.map(\.name) == ["readFailure"] + Array(repeating: "saveFailure", count: 8))
    #expect(engine.statistics.oldestUnsavedAge == .milliseconds(63_050))
    observation.cancel()
  }

  @Test("saves the next change after the delay, once a flush has succeeded after failures")
  func success() throws {
    let store = try store()
    try store.update { $0["k"] = 0 }
    try write("bad", to: store)
    store.set(1, forKey: "k")
    engine.advance(by: .seconds(17))
    try write(["other": 1], to: store)
    let observation = engine.onEvent { [events] in events.record($0) }
    try store.flush()
    #expect(events.all.map(\.name) == ["readRecovery", "saveRecovery"])
    store.set(2, forKey: "k")
    #expect(engine.statistics.oldestUnsavedAge == .zero)
    engine.advance(by: .milliseconds(50))
    #expect(try saved(store) == ["other": 1, "k": 2])
    observation.cancel()
  }

  @Test("saves within a lower delay as soon as that is set, and not within the one before a flush")
  func lowerDelay() throws {
    let store = try store()
    engine.configuration.commitDelay = .seconds(60)
    store.set(1, forKey: "k")
    try store.flush()
    engine.configuration.commitDelay = .milliseconds(50)
    store.set(2, forKey: "k")
    engine.advance(by: .milliseconds(50))
    #expect(try saved(store) == ["k": 2])
    engine.configuration.commitDelay = .seconds(60)
    store.set(3, forKey: "k")
    engine.advance(by: .seconds(59))
    #expect(try saved(store) == ["k": 2])
    engine.configuration.commitDelay = .milliseconds(50)
    engine.advance(by: .milliseconds(50))
    #expect(try saved(store) == ["k": 3])
  }

  @Test("finds what other processes save by polling, or when it settles")
  func polling() throws {
    engine.configuration.pollingInterval = .seconds(2)
    let store = try store()
    try store.update { $0["k"] = 1 }
    let changes = Recorder<PlistValue?>()
    let observation = store.observe("k") { changes.record($0.newValue) }
    try write(["k": 2], to: store)
    engine.advance(by: .milliseconds(1_900))
    #expect(changes.all == [])
    engine.advance(by: .milliseconds(100))
    #expect(changes.all == [2])
    try write(["k": 3], to: store)
    engine.settle()
    #expect(changes.all == [2, 3])
    observation.cancel()
  }

  @Test("reports a file that does not parse when it has had half a second to be completed")
  func incompleteFile() throws {
    let store = try store()
    try store.update { $0["k"] = 1 }
    let observation = engine.onEvent { [events] in events.record($0) }
    #expect(store.integer(forKey: "k") == 1)
    try write("<plist><dict>", to: store)
    engine.settle()
    engine.advance(by: .milliseconds(499))
    #expect(events.all == [])
    #expect(store.integer(forKey: "k") == 1)
    engine.advance(by: .milliseconds(1))
    #expect(events.all.map(\.name) == ["readFailure"])
    try write(["k": 2], to: store)
    engine.settle()
    #expect(events.all.map(\.name) == ["readFailure", "readRecovery"])
    #expect(store.integer(forKey: "k") == 2)
    observation.cancel()
  }

  @Test("is to another engine on the same file like another process")
  func twoEngines() throws {
    let (first, other) = (try store(), PreferencesEngine.manual())
    let second = PreferencesStore(fileAt: try path(of: first), engine: other)
    first.set(1, forKey: "a")
    second.set(2, forKey: "b")
    #expect(!second.containsValue(forKey: "a"))
    engine.advance(by: .milliseconds(50))
    other.advance(by: .milliseconds(50))
    #expect(try saved(first) == ["a": 1, "b": 2])
    #expect(second.integer(forKey: "a") == 1)
    #expect(!first.containsValue(forKey: "b"))
    engine.settle()
    #expect(first.integer(forKey: "b") == 2)
  }

  @Test("keeps the values of a file that an editor renames away and writes anew")
  func returningFile() throws {
    let store = try store()
    try store.update { $0 = ["k": 1, "l": 1] }
    let changes = Recorder<PreferencesChange>()
    let observation = store.observe(["k", "l"]) { changes.record($0) }
    let path = try path(of: store)
    engine.settle()
    try FileManager.default.moveItem(atPath: path, toPath: path + "~")
    engine.settle()
    #expect(store.integer(forKey: "k") == 1)
    // Until then, saving also waits for the file.
    store.set(2, forKey: "l")
    let writer = TestThread {
      usleep(20_000)
      try? Plist.write(.dictionary(["k": 2, "l": 1]), as: .xml).write(to: URL(filePath: path))
    }
    try store.flush()
    #expect(writer.join())
    #expect(try saved(store) == ["k": 2, "l": 2])
    engine.advance(by: .seconds(1))
    #expect(
      changes.all == [
        PreferencesChange(key: "l", oldValue: 1, newValue: 2),
        PreferencesChange(key: "k", oldValue: 1, newValue: 2),
      ])
    observation.cancel()
  }

  @Test("counts a file as removed when it has been missing for 50 milliseconds")
  func removedFile() throws {
    let store = try store()
    try store.update { $0["k"] = 1 }
    let observation = store.observe("k") { _ in }
    engine.settle()
    try FileManager.default.removeItem(atPath: path(of: store))
    engine.settle()
    engine.advance(by: .milliseconds(49))
    #expect(store.integer(forKey: "k") == 1)
    engine.advance(by: .milliseconds(1))
    #expect(!store.containsValue(forKey: "k"))
    observation.cancel()
  }

  @Test("makes the calls of tasks on their own threads, and starts none")
  func tasks() async throws {
    let store = try store()
    store.set(1, forKey: "k")
    try await store.flush()
    #expect(try await store.update { $0["k"] } == 1)
    store.set(2, forKey: "k")
    try await engine.flushAll()
    #expect(try saved(store) == ["k": 2])
    #expect(await store.synchronize(within: .seconds(10)))
  }

  @Test("is the one of static functions where its store stands in for the application's")
  func standardOverride() throws {
    let store = try store()
    try PreferencesStore.withStandard(store) {
      let observation = PreferencesStore.onEvent { [events] in events.record($0) }
      PreferencesStore.runtimeConfiguration.commitDelay = .seconds(7)
      PreferencesStore.standard.set(1, forKey: "k")
      #expect(PreferencesStore.statistics.unsavedCount == 1)
      try PreferencesStore.flushAll()
      #expect(PreferencesStore.statistics.unsavedCount == 0)
      engine.post(.threadFailure(thread: "none"))
      observation.cancel()
    }
    #expect(engine.configuration.commitDelay == .seconds(7))
    #expect(PreferencesStore.runtimeConfiguration.commitDelay != .seconds(7))
    #expect(events.all == [.threadFailure(thread: "none")])
    #expect(try saved(store) == ["k": 1])
  }

  @Test("saves what is left when it is shut down, then each change at once, and removes its folder")
  func shutDown() throws {
    let store = try store()
    let outside = try TemporaryFolder()
    let other = PreferencesStore(fileAt: outside.path("k.plist"), engine: engine)
    other.set(1, forKey: "k")
    store.set(1, forKey: "k")
    let folder = engine.locations.user
    engine.shutDown()
    #expect(try saved(other) == ["k": 1])
    #expect(!FileManager.default.fileExists(atPath: folder))
    other.set(2, forKey: "k")
    #expect(try saved(other) == ["k": 2])
    engine.shutDown()
  }
}
