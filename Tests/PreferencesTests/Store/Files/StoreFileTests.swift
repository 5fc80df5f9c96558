import FileStorage
import Foundation
import PropertyList
import TestSupport
import Testing
import Threading

@testable import Preferences

@Suite("A store on a file")
struct StoreFileTests {
  @Test("An update is called once, also right after another change, and if it changes nothing")
  func singleCall() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    for _ in 0..<20 {
      var calls = 0
      try store.update { values in
        calls += 1
        values["key"] = "value"
      }
      #expect(calls == 1)
    }
  }

  @Test("Values are saved in the background")
  func background() throws {
    let fixture = try StoreFixture()
    fixture.store.set(1, forKey: "k")
    #expect(eventually { (try? fixture.read().value) == ["k": 1] })
  }

  @Test("Saving includes domains that were replaced by name")
  func otherDomains() throws {
    let fixture = try StoreFixture()
    fixture.store.setPersistentDomain(["k": 1], forName: "other")
    fixture.store.setPersistentDomain(["g": 2], forName: PreferencesStore.globalDomain)
    try fixture.store.flush()
    #expect(try fixture.read("user/other.plist").value == ["k": 1])
    #expect(try fixture.read("user/.GlobalPreferences.plist").value == ["g": 2])
    fixture.store.removePersistentDomain(forName: "other")
    #expect(fixture.store.synchronize())
    #expect(try fixture.read("user/other.plist").value == [:])
  }

  @Test("Another process's changes are merged, except where a later write of the store counts")
  func merge() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let name = "user/\(StoreFixture.domain).plist"
    store.set(1, forKey: "same")
    try store.flush()
    try fixture.write(["same": 2, "theirs": 1], to: name)
    // Equal to the value that the store has read, but not to the file's.
    store.set(1, forKey: "same")
    store.set(1, forKey: "ours")
    try store.flush()
    #expect(try fixture.read().value == ["same": 1, "theirs": 1, "ours": 1])

    try fixture.write(["theirs": 2, "new": 1], to: name)
    store.setPersistentDomain(["only": 1], forName: store.domain)
    store.set(2, forKey: "later")
    try store.flush()
    #expect(try fixture.read().value == ["only": 1, "later": 2])
  }

  @Test("Synchronizing reads other processes' changes in every layer")
  func synchronize() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    #expect(!store.containsValue(forKey: "k"))
    try fixture.write(["k": 1], to: "user/.GlobalPreferences.plist")
    #expect(store.synchronize())
    #expect(store.integer(forKey: "k") == 1)
    try fixture.write(["k": 2], to: "user/\(StoreFixture.domain).plist")
    #expect(store.synchronize())
    #expect(store.integer(forKey: "k") == 2)
  }

  @Test("A value that equals a registered default is stored")
  func equalToRegistered() throws {
    let fixture = try StoreFixture()
    fixture.store.register(defaults: ["k": 1])
    fixture.store.set(1, forKey: "k")
    try fixture.store.flush()
    #expect(try fixture.read().value == ["k": 1])
  }

  @Test("An update is saved when it returns, together with earlier writes")
  func update() throws {
    let fixture = try StoreFixture()
    fixture.store.set(1, forKey: "pending")
    try fixture.store.update { $0["k"] = 1 }
    #expect(try fixture.read().value == ["pending": 1, "k": 1])
    try fixture.write(["theirs": 1, "k": 5], to: "user/\(StoreFixture.domain).plist")
    let seen = try fixture.store.update { $0 }
    #expect(seen == ["theirs": 1, "k": 5])
    #expect(fixture.store.integer(forKey: "theirs") == 1)
  }

  @Test("A file that cannot be read is reported and not overwritten until it is recovered")
  func corrupt() throws {
    let fixture = try StoreFixture()
    let name = "user/\(StoreFixture.domain).plist"
    try fixture.write([:], to: name)
    try fixture.folder.write("<plist><dict>", to: name)
    let store = fixture.store
    store.register(defaults: ["k": 1])
    #expect(store.integer(forKey: "k") == 1)
    #expect(store.problems.count == 1)
    store.set(2, forKey: "k")
    #expect(store.integer(forKey: "k") == 2)
    #expect(throws: PreferencesError.self) { try store.flush() }
    #expect(!store.synchronize())
    #expect(throws: PreferencesError.self) { try store.update { $0["k"] = 3 } }
    #expect(try fixture.folder.data(name) == Data("<plist><dict>".utf8))

    let kept = try #require(try store.recover())
    #expect(kept.hasPrefix(fixture.path(name) + ".corrupt-"))
    #expect(try Data(contentsOf: URL(filePath: kept)) == Data("<plist><dict>".utf8))
    #expect(try store.recover() == nil)
    try store.flush()
    #expect(store.problems.isEmpty)
    #expect(try fixture.read().value == ["k": 2])
  }

  /// What is found instead of a file.
  enum Obstacle: CaseIterable {
    case folder, pipe, socket, loop

    func make(at path: String) throws {
      switch self {
      case .folder:
        try FileManager.default.createDirectory(
          atPath: path + "/inner", withIntermediateDirectories: true)
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      case .socket: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
      case .loop: #expect(symlink(path, path) == 0)
      }
    }
  }

  @Test("What is in the place of the file is moved aside", arguments: Obstacle.allCases)
  func obstacle(_ obstacle: Obstacle) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    try obstacle.make(at: path)
    let store = PreferencesStore(fileAt: path)
    store.set(1, forKey: "k")
    #expect(throws: PreferencesError.self) { try store.flush() }
    let kept = try #require(try store.recover())
    var information = stat()
    #expect(lstat(kept, &information) == 0)
    try store.flush()
    #expect(PreferencesStore(fileAt: path).integer(forKey: "k") == 1)
    #expect(try Plist.read(Data(contentsOf: URL(filePath: path))).value == ["k": 1])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 3, "file, lock file and what was moved: \(names)")
  }

  @Test("Recovery waits for other processes no longer than its limit")
  func lockedRecovery() throws {
    let folder = try TemporaryFolder()
    try folder.write("bad", to: "k.plist")
    let path = folder.path("k.plist")
    let store = PreferencesStore(fileAt: path)
    #expect(store.problems.count == 1)
    let holder = LockHolder()
    try holder.lock(path)
    let limit = TimeLimit(.milliseconds(300))
    #expect(
      throws: PreferencesError.lockTimeout(
        path: path, waited: .milliseconds(300), lockFile: ".k.plist.lock")
    ) { try store.recover(within: limit) }
    holder.release()
    #expect(try store.recover() != nil)
  }

  @Test("Many changes at a time are saved with many others, and each is observed")
  func manyChanges() throws {
    let store = PreferencesStore.inMemory()
    let changes = Recorder<PreferencesChange>()
    let observation = store.observe("k7") { changes.record($0) }
    for round in 0..<40 {
      var values = PlistDictionary()
      for index in 0..<100 { values["k\(round * 50 + index)"] = .integer(Int64(round)) }
      store.set(values)
    }
    #expect(store.plistRepresentation.count == 39 * 50 + 100)
    for round in 0..<39 { #expect(store.integer(forKey: "k\(round * 50)") == round) }
    #expect(changes.all == [PreferencesChange(key: "k7", oldValue: nil, newValue: 0)])
    observation.cancel()
  }

  @Test("A failure handler that was canceled, even by another handler, is not called")
  func canceledFailureHandler() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    let store = PreferencesStore(fileAt: path)
    let calls = Recorder<Int>()
    let second = Lock<PreferencesObservation?>(nil)
    let first = store.onSaveFailure { _ in
      second.withLock { $0 }?.cancel()
      calls.record(1)
    }
    let observation = store.onSaveFailure { _ in calls.record(2) }
    second.withLock { $0 = observation }
    store.engine.post(.saveFailure(.emptyFile(path: path)))
    #expect(calls.all == [1])
    first.cancel()
    store.engine.post(.saveFailure(.emptyFile(path: path)))
    #expect(calls.all == [1])
  }

  @Test("A canceled failure handler is released at once, even during a commit")
  func releasedFailureHandler() throws {
    let store = try StoreFixture().store
    let isReleased = Latch()
    var action: DeinitAction? = DeinitAction { isReleased.open() }
    let handler = store.onSaveFailure { [action] _ in withExtendedLifetime(action) {} }
    action = nil
    try store.update { values in
      values["k"] = 1
      #expect(TestThread { handler.cancel() }.join())
      #expect(isReleased.isOpen)
    }
  }

  @Test("Saving all domains tells how long it waited for a lock")
  func timeoutOfAll() throws {
    let fixture = try StoreFixture()
    fixture.store.set(1, forKey: "k")
    try fixture.store.flush()
    let lock = try AtomicFile(fixture.path("user/\(StoreFixture.domain).plist")).lock()
    fixture.store.set(2, forKey: "k")
    let files = [fixture.store.user]
    var delivery = Delivery()
    let failures = SaveGroup.save(files, within: TimeLimit(.milliseconds(200)), &delivery)
    withExtendedLifetime(lock) {}
    let waited: Duration
    switch failures.first?.error {
    case .lockTimeout(_, let duration, _)?: waited = duration
    // A commit in the background waits for the lock.
    case .saveTimeout(_, let duration)?: waited = duration
    default:
      Issue.record("expected a timeout, found \(failures)")
      return
    }
    #expect(waited == .milliseconds(200))
  }

  @Test("A failed background save is reported, and the values stay")
  func failure() throws {
    let fixture = try StoreFixture()
    try fixture.folder.write("", to: "user")
    let failures = Lock<[PreferencesError]>([])
    let observation = fixture.store.onSaveFailure { error in failures.withLock { $0.append(error) }
    }
    fixture.store.set(1, forKey: "k")
    #expect(eventually { failures.withLock { !$0.isEmpty } })
    #expect(throws: PreferencesError.self) { try fixture.store.flush() }
    #expect(fixture.store.integer(forKey: "k") == 1)
    try FileManager.default.removeItem(atPath: fixture.path("user"))
    try fixture.store.flush()
    #expect(try fixture.read().value == ["k": 1])
    observation.cancel()
  }

  @Test("A store of a single file searches that file alone")
  func single() throws {
    let fixture = try StoreFixture()
    try fixture.write(["k": 1], to: "some/where.plist")
    let path = fixture.path("some/where.plist")
    let store = PreferencesStore(fileAt: path)
    #expect(store.domain == path)
    #expect(store.integer(forKey: "k") == 1)
    store.register(defaults: ["r": 1])
    store.addSuite(named: "suite")
    #expect(
      store.origin(forKey: "k")
        == PreferencesOrigin(
          layer: PreferencesLayer(kind: .user, domain: path, path: path), value: 1))
    #expect(store.searchList.entries.map(\.layer.kind) == [.user, .registration])
    store.set(2, forKey: "k")
    store.setPersistentDomain(["x": 1], forName: "other")
    #expect(store.persistentDomain(forName: "other") == nil)
    #expect(store.persistentDomain(forName: path) as? [String: Int] == ["k": 2])
    #expect(!store.objectIsForced(forKey: "k", inDomain: "other"))
    try store.flush()
    #expect(try fixture.read("some/where.plist").value == ["k": 2])
  }

  @Test(
    "A domain name that leads out of the folder is rejected",
    arguments: ["", ".", "..", "a/b", "/", "a\0"])
  func names(name: String) throws {
    let fixture = try StoreFixture()
    #expect(throws: PreferencesError.invalidDomainName(name)) { try fixture.store(name) }
    #expect(PreferencesStore(suiteName: name) == nil)
  }
}
