import Defaults
import Foundation
import Observation
import Preferences
import PreferencesSync
import PropertyList
import TestSupport
import Testing
import Threading
import PreferencesSyncTesting

/// Calls a closure when it is released.
private final class DeinitAction: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }
}

/// All tests share the synchronized keys of the process.
@Suite("Defaults.iCloud", .serialized, .timeLimit(.minutes(5)))
final class ICloudTests {
  private let folder: TemporaryFolder
  private let store: PreferencesStore
  private let remote = InMemoryRemoteStore()
  /// Another machine that synchronizes with the same remote store.
  private let otherStore: PreferencesStore
  private let other: PreferencesSynchronizer

  private let theme: Defaults.Key<String>
  private let width: Defaults.Key<Int>

  init() throws {
    folder = try TemporaryFolder()
    store = PreferencesStore(fileAt: folder.path("here.plist"))
    otherStore = PreferencesStore(fileAt: folder.path("there.plist"))
    other = PreferencesSynchronizer(
      store: otherStore, remote: remote, stateFileAt: folder.path("there-sync.plist"))
    other.add(["theme", "width"])
    theme = Defaults.Key("theme", default: "light", suite: store, iCloud: true)
    width = Defaults.Key("width", default: 100, suite: store)
  }

  deinit {
    Defaults.iCloud.disconnect()
    Defaults.iCloud.removeAll()
    other.cancel()
    try? store.flush()
    try? otherStore.flush()
  }

  private func connect() {
    Defaults.iCloud.connect(to: remote, stateFilesIn: folder.path("sync"))
  }

  private func synchronize() async throws {
    #expect(await Defaults.iCloud.waitForSyncCompletion())
    try await other.waitForCompletion()
    #expect(await Defaults.iCloud.waitForSyncCompletion())
  }

  /// A remote store that uses the keys when it is released.
  private final class CuriousRemoteStore: RemoteStore {
    private let action: DeinitAction
    private let remote = InMemoryRemoteStore()

    init(_ action: DeinitAction) { self.action = action }

    func entries() async throws -> RemoteSnapshot { try await remote.entries() }

    func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
      try await remote.apply(changes)
    }

    func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
      remote.changes(after: revision)
    }
  }

  @Test("What is released by disconnecting and removing keys may use them")
  func release() {
    let looks = Lock(0)
    let action = {
      DeinitAction {
        _ = Defaults.iCloud.keys
        looks.withLock { $0 += 1 }
      }
    }
    Defaults.iCloud.removeAll()
    Defaults.iCloud.connect(
      to: CuriousRemoteStore(action()), stateFilesIn: folder.path("sync"))
    Defaults.iCloud.disconnect()
    #expect(looks.withLock { $0 } == 1)
    Defaults.iCloud.add(
      Defaults.Key("dynamic", suite: store) { [action = action()] in
        withExtendedLifetime(action) { 1 }
      })
    Defaults.iCloud.removeAll()
    #expect(looks.withLock { $0 } == 2)
  }

  @Test("Keys are added by iCloud: true and by add, and removed")
  func keys() {
    #expect(Defaults.iCloud.keys == [theme])
    Defaults.iCloud.add(width, theme)
    #expect(Defaults.iCloud.keys == [theme, width])
    Defaults.iCloud.remove(theme)
    #expect(Defaults.iCloud.keys == [width])
    Defaults.iCloud.add([theme])
    Defaults.iCloud.removeAll()
    #expect(Defaults.iCloud.keys == [])
  }

  @Test("Names that differ in their bytes only are those of different keys")
  func normalization() async throws {
    let composed = Defaults.Key("caf\u{E9}", default: 0, suite: store)
    let decomposed = Defaults.Key("cafe\u{301}", default: 0, suite: store)
    connect()
    Defaults.iCloud.add(composed, decomposed)
    Defaults[composed] = 1
    Defaults[decomposed] = 2
    #expect(await Defaults.iCloud.waitForSyncCompletion())
    let first = try await remote.entries()
    #expect(
      Set(first.entries.map { Array($0.key.utf8) })
        == [Array(composed.name.utf8), Array(decomposed.name.utf8)])
    Defaults.iCloud.remove(composed)
    Defaults[composed] = 3
    Defaults[decomposed] = 4
    #expect(await Defaults.iCloud.waitForSyncCompletion())
    let changed = try await remote.entries().entries.filter { $0.revision > first.revision }
    #expect(changed.map { Array($0.key.utf8) } == [Array(decomposed.name.utf8)])
  }

  @Test("Values and removals are synchronized both ways, defaults are not uploaded")
  func values() async throws {
    connect()
    Defaults.iCloud.add(width)
    try await synchronize()
    #expect(remote.counts.puts == 0)

    Defaults[theme] = "dark"
    try await synchronize()
    #expect(otherStore.string(forKey: "theme") == "dark")
    #expect(otherStore.object(forKey: "width") == nil)

    otherStore.set(300, forKey: "width")
    try await other.waitForCompletion()
    try await synchronize()
    #expect(Defaults[width] == 300)

    theme.reset()
    try await synchronize()
    #expect(otherStore.object(forKey: "theme") == nil)
    #expect(Defaults[theme] == "light")
    otherStore.removeObject(forKey: "width")
    try await other.waitForCompletion()
    try await synchronize()
    #expect(Defaults[width] == 100)
  }

  @Test("The later of two changes wins")
  func laterWins() async throws {
    connect()
    Defaults[theme] = "dark"
    try await synchronize()
    remote.isReachable = false
    Defaults[theme] = "earlier"
    // A change has the time at which it is saved.
    try await store.flush()
    otherStore.set("later", forKey: "theme")
    remote.isReachable = true
    try await synchronize()
    #expect(Defaults[theme] == "later")
    #expect(otherStore.string(forKey: "theme") == "later")
  }

  @Test("A removed key is left alone on both sides")
  func removal() async throws {
    connect()
    Defaults[theme] = "dark"
    try await synchronize()
    Defaults.iCloud.remove(theme)
    Defaults[theme] = "here"
    otherStore.set("there", forKey: "theme")
    try await synchronize()
    #expect(Defaults[theme] == "here")
    #expect(otherStore.string(forKey: "theme") == "there")
  }

  @Test("Changes without a connection are uploaded with the next one")
  func connections() async throws {
    connect()
    Defaults[theme] = "dark"
    try await synchronize()
    Defaults.iCloud.disconnect()
    Defaults[theme] = "black"
    #expect(await Defaults.iCloud.waitForSyncCompletion())
    #expect(otherStore.string(forKey: "theme") == "dark")
    connect()
    try await synchronize()
    #expect(otherStore.string(forKey: "theme") == "black")
  }

  @Test("Each domain has one synchronizer")
  func suites() async throws {
    connect()
    let second = PreferencesStore(fileAt: folder.path("second.plist"))
    let same = PreferencesStore(fileAt: folder.path("here.plist"))
    let inSecond = Defaults.Key<Int>("number", default: 0, suite: second, iCloud: true)
    let inSame = Defaults.Key<Int>("width", default: 0, suite: same, iCloud: true)
    Defaults[inSecond] = 1
    Defaults[inSame] = 2
    try await synchronize()
    #expect(otherStore.integer(forKey: "width") == 2)
    #expect(remote.counts.puts == 2)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("sync"))
    #expect(files.filter { $0.hasSuffix(".plist") }.count == 2)
    try await second.flush()
    try await same.flush()
  }

  @Test("With partitions, each domain has values and a registry of its own")
  func partitions() async throws {
    Defaults.iCloud.connect(toPartitionsOf: remote, stateFilesIn: folder.path("sync"))
    let second = PreferencesStore(fileAt: folder.path("second.plist"))
    let same = Defaults.Key<String>("theme", default: "none", suite: second, iCloud: true)
    Defaults[theme] = "dark"
    Defaults[same] = "bright"
    #expect(await Defaults.iCloud.waitForSyncCompletion())
    let keys = try await remote.entries().entries.map(\.key).sorted()
    let (here, there) = ("\(store.domain)", "\(second.domain)")
    for domain in [here, there] {
      let name = domain.replacing("/", with: "%2F")
      #expect(keys.contains("domains/\(name)/theme"))
      #expect(keys.contains { $0.hasPrefix("registry/\(name)/machine/") })
    }
    let value = { [remote] (domain: String) async throws -> PlistValue? in
      let entries = try await remote.values(ofDomain: domain).entries().entries
      return try entries.first.map { try SyncRecord($0.data) }?.value
    }
    #expect(try await value(here) == "dark")
    #expect(try await value(there) == "bright")
    try await second.flush()
  }

  @Test("The status is that of all domains, and can be observed")
  func status() async throws {
    #expect(Defaults.iCloud.status == Defaults.iCloud.Status(domains: [:]))
    #expect(!Defaults.iCloud.isSyncing)
    #expect(!Defaults.iCloud.status.isConnected)
    remote.isReachable = false
    connect()
    #expect(Defaults.iCloud.isSyncing)
    let updates = Defaults.iCloud.statusUpdates()
    remote.isReachable = true
    #expect(await Defaults.iCloud.waitForSyncCompletion())
    #expect(!Defaults.iCloud.isSyncing)
    for await status in updates where status.isConnected { break }
    #expect(Defaults.iCloud.status.isConnected)
    #expect(Array(Defaults.iCloud.status.domains.keys) == [store.domain])

    remote.isReachable = false
    for await status in Defaults.iCloud.statusUpdates() where !status.isConnected { break }
    let changes = Recorder<String>()
    withObservationTracking {
      _ = Defaults.iCloud.status
    } onChange: {
      changes.record("changed")
    }
    Defaults[theme] = "dark"
    // True at once, and until it is uploaded.
    #expect(Defaults.iCloud.isSyncing)
    #expect(Defaults.iCloud.status.pendingKeys >= 1)
    #expect(await eventually { changes.all == ["changed"] })
    #expect(
      await eventually {
        Defaults.iCloud.status.lastError?.description == "the remote store cannot be reached"
      })
    remote.isReachable = true
    #expect(await Defaults.iCloud.waitForSyncCompletion())
    #expect(!Defaults.iCloud.isSyncing)
    #expect(Defaults.iCloud.status.pendingKeys == 0)
    Defaults.iCloud.removeAll()
    #expect(Defaults.iCloud.status.domains.isEmpty)
  }

  @Test("Steps and failures are printed on standard error while isDebug is set, without values")
  func debugging() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) { [path = folder.path("debug") as String] in
      let remote = InMemoryRemoteStore()
      Defaults.iCloud.connect(to: remote, stateFilesIn: path + "/sync")
      let store = PreferencesStore(fileAt: path + "/here.plist")
      let key = Defaults.Key<String>("theme", default: "light", suite: store, iCloud: true)
      Defaults[key] = "before"
      #expect(await Defaults.iCloud.waitForSyncCompletion())
      #expect(!Defaults.iCloud.isDebug)
      Defaults.iCloud.isDebug = true
      Defaults[key] = "secret"
      #expect(await Defaults.iCloud.waitForSyncCompletion())
      Defaults.iCloud.isDebug = false
      Defaults[key] = "after"
      #expect(await Defaults.iCloud.waitForSyncCompletion())
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let lines = output.split(separator: "\n").filter { $0.hasPrefix("Defaults.iCloud: ") }
    #expect(
      lines.filter { !$0.contains("read the records") } == [
        "Defaults.iCloud: theme: uploading", "Defaults.iCloud: theme: uploaded",
      ])
    #expect(!output.contains("secret"))
  }

  @Test("Failures are reported and end the wait")
  func failures() async throws {
    connect()
    try await synchronize()
    let failures = Recorder<String>()
    let path = folder.path("unreadable")
    try Data("no property list".utf8).write(to: URL(fileURLWithPath: path))
    let broken = PreferencesStore(fileAt: path)
    Defaults.iCloud.onFailure { error in
      if "\(error)".contains("unreadable") { failures.record("\(error)") }
    }
    Defaults.iCloud.add(Defaults.Key<Int>("number", default: 0, suite: broken))
    #expect(await Defaults.iCloud.waitForSyncCompletion() == false)
    #expect(failures.all.first?.hasPrefix(path) == true)
  }
}
