import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Saving several domains", .timeLimit(.minutes(5)))
struct ConcurrentSavingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func stores(_ count: Int, _ prefix: String) -> [PreferencesStore] {
    (0..<count).map { PreferencesStore(fileAt: folder.path("\(prefix)\($0).plist")) }
  }

  private func contents(of path: String) throws -> PlistValue {
    try Plist.read(Data(contentsOf: URL(filePath: path))).value
  }

  @Test("Files that are locked keep no others from being saved in the background")
  func lockedFiles() throws {
    let locked = stores(12, "locked")
    for store in locked { try store.update { $0["k"] = 0 } }
    let locks = LockHolder()
    for store in locked { try locks.lock(store.domain) }
    for store in locked { store.set(1, forKey: "k") }
    let healthy = stores(20, "healthy")
    for store in healthy { store.set(1, forKey: "k") }
    #expect(
      eventually {
        healthy.allSatisfy { FileManager.default.fileExists(atPath: $0.domain) }
      })
    #expect(locked.allSatisfy { (try? contents(of: $0.domain)) == ["k": 0] })
    locks.release()
    #expect(
      eventually {
        locked.allSatisfy { (try? contents(of: $0.domain)) == ["k": 1] }
      })
  }

  @Test("Saving everything saves what it can, and says how much is left")
  func leftOver() throws {
    let all = stores(5, "s")
    for store in all { try store.update { $0["k"] = 0 } }
    let locks = LockHolder()
    for store in all.prefix(2) { try locks.lock(store.domain) }
    for store in all { store.set(1, forKey: "k") }
    let files = all.map(\.user)
    var delivery = Delivery()
    let failures = SaveGroup.save(files, within: TimeLimit(.milliseconds(400)), &delivery)
    #expect(Set(failures.map { $0.file.path }) == Set(all.prefix(2).map(\.domain)))
    #expect(failures.allSatisfy { [.time, .ownUpdate].contains($0.error.cause) })
    for store in all.dropFirst(2) {
      #expect(try contents(of: store.domain) == ["k": 1])
    }
    let error = PreferencesError.unsaved(count: 2, of: 5, failures[0].1)
    #expect("\(error)" == "2 of 5 domains were not saved; first error: \(failures[0].1)")
    locks.release()
    for store in all { try store.flush() }
  }

  @Test("The statistics tell what is unsaved, and for how long, and count commits and reads")
  func statistics() throws {
    let store = PreferencesStore(fileAt: folder.path("k.plist"))
    let before = PreferencesStore.statistics
    try store.update { $0["k"] = 0 }
    let locks = LockHolder()
    try locks.lock(store.domain)
    store.set(1, forKey: "k")
    let during = PreferencesStore.statistics
    #expect(during.unsavedCount >= 1)
    #expect(try #require(during.oldestUnsavedAge) >= .zero)
    #expect(during.domainCount >= 1)
    #expect(during.threadCount >= 1)
    #expect(during.commits.count > before.commits.count)
    #expect(during.commits.totalTime > before.commits.totalTime)
    #expect(during.commits.longestTime > .zero)
    locks.release()
    try store.flush()
    try Plist.write(["k": 2], as: .xml).write(
      to: URL(filePath: store.domain), options: .atomic)
    _ = store.synchronize() as Bool
    #expect(PreferencesStore.statistics.reads.count > during.reads.count)
  }

  @Test("Waiting for a lock for more than a second is reported with the name of the lock file")
  func lockWait() throws {
    let store = PreferencesStore(fileAt: folder.path("k.plist"))
    try store.update { $0["k"] = 0 }
    let events = Recorder<PreferencesEvent>()
    let observation = PreferencesStore.onEvent { [path = store.domain] event in
      if event.path == path { events.record(event) }
    }
    let locks = LockHolder()
    try locks.lock(store.domain)
    store.set(1, forKey: "k")
    let expected = PreferencesEvent.lockWait(path: store.domain, lockFile: ".k.plist.lock")
    #expect(eventually { events.all.contains(expected) })
    #expect(
      "\(expected)"
        == "\(store.domain): saving waits for another process that holds the lock .k.plist.lock")
    locks.release()
    observation.cancel()
  }
}
