import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Observers and threads")
struct ObservationThreadTests {
  @Test("No change by two threads is missed", arguments: Backing.allCases)
  func writers(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let rounds = TestScale.count(50_000)
    /// A summary of the changes so far.
    struct Summary {
      var last: PlistValue?
      var gaps = 0
      var count = 0
    }
    let summary = Lock(Summary())
    let token = store.observe("k") { change in
      summary.withLock { summary in
        if change.oldValue != summary.last { summary.gaps += 1 }
        summary.last = change.newValue
        summary.count += 1
      }
    }
    let threads = [1, -1].map { sign in
      TestThread { for number in 1...rounds { store.set(sign * number, forKey: "k") } }
    }
    for thread in threads { #expect(thread.join()) }
    #expect(summary.withLock { $0.last } == store.plistValue(forKey: "k"))
    let result = summary.withLock { $0 }
    #expect(result.gaps == 0)
    #expect(result.count == 2 * rounds)
    withExtendedLifetime(token) {}
  }

  @Test("A blocked observer blocks no other thread", arguments: Backing.allCases)
  func blocked(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(0, forKey: "k")
    try store.flush()
    let (isCalled, mayReturn) = (Latch(), Latch())
    let blocked = ChangeRecorder(store) { _, _ in
      isCalled.open()
      mayReturn.wait()
    }
    let (recorder, other) = (ChangeRecorder(store), ChangeRecorder(store, "other"))
    let writer = TestThread { store.set(1, forKey: "k") }
    #expect(isCalled.wait())
    let reader = TestThread {
      #expect(store.integer(forKey: "k") == 1)
      #expect(store.plistRepresentation["k"] == 1)
      _ = store.origins(forKey: "k")
    }
    #expect(reader.join())
    let setter = TestThread {
      store.set(1, forKey: "other")
      store.set(2, forKey: "k")
    }
    #expect(setter.join())
    #expect(other.take() == [PreferencesChange(nil, 1, of: "other")])
    #expect(recorder.take() == [PreferencesChange(0, 1), PreferencesChange(1, 2)])
    let saver = TestThread {
      #expect((try? store.flush()) != nil)
      #expect((try? store.update { $0["updated"] = 1 }) != nil)
      #expect(store.synchronize())
      store.addSuite(named: "suite")
      store.register(defaults: ["registered": 1])
      #expect(ChangeRecorder(store, initial: true).take() == [PreferencesChange(2, 2)])
    }
    #expect(saver.join())
    let canceler = TestThread { recorder.cancel() }
    #expect(canceler.join())
    #expect(!writer.isFinished)
    #expect(blocked.take() == [PreferencesChange(0, 1)])
    mayReturn.open()
    #expect(writer.join())
    #expect(blocked.take() == [PreferencesChange(1, 2)])
  }

  @Test("An observer blocked on an external change blocks no writer")
  func blockedByOutside() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let (isCalled, mayReturn) = (Latch(), Latch())
    let blocked = ChangeRecorder(store, "theirs") { _, _ in
      isCalled.open()
      mayReturn.wait()
    }
    let recorder = ChangeRecorder(store)
    try fixture.write(["theirs": 1], to: "user/\(StoreFixture.domain).plist")
    #expect(isCalled.wait())
    let worker = TestThread {
      store.set(1, forKey: "k")
      #expect((try? store.flush()) != nil)
      #expect(store.synchronize())
    }
    #expect(worker.join())
    #expect(recorder.take() == [PreferencesChange(nil, 1)])
    // Stores see the change, but it cannot be delivered by the blocked thread.
    try fixture.write(["theirs": 2], to: "user/\(StoreFixture.domain).plist")
    #expect(eventually { store.integer(forKey: "theirs") == 2 })
    mayReturn.open()
    #expect(eventually { blocked.last == 2 })
    #expect(blocked.all.isChain())
  }

  @Test("An update's body blocks neither readers nor setters", arguments: Backing.allCases)
  func slowUpdate(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let recorder = ChangeRecorder(store)
    let (isCalled, mayReturn) = (Latch(), Latch())
    let updater = TestThread {
      try? store.update { values in
        values["k"] = 1
        isCalled.open()
        mayReturn.wait()
      }
    }
    #expect(isCalled.wait())
    let worker = TestThread {
      #expect(!store.containsValue(forKey: "k"))
      #expect(store.plistRepresentation == [:])
      store.set(2, forKey: "k")
      #expect(store.integer(forKey: "k") == 2)
      store.removeObject(forKey: "k")
      _ = ChangeRecorder(store, "k", initial: true)
      _ = store.observableValue(forKey: "k")
      store.addSuite(named: "suite")
    }
    #expect(worker.join())
    #expect(recorder.take() == [PreferencesChange(nil, 2), PreferencesChange(2, nil)])
    mayReturn.open()
    #expect(updater.join())
    #expect(!store.containsValue(forKey: "k"))
    #expect(recorder.take() == [])
    try store.flush()
  }

  @Test("An update's body does not block readers that began while its file was loaded")
  func slowUpdateWhileLoading() throws {
    let fixture = try StoreFixture()
    let name = "user/\(StoreFixture.domain).plist"
    try fixture.write([:], to: name)
    // Loading an incomplete file is retried for a while.
    try fixture.folder.write("<plist><dict>", to: name)
    let store = fixture.store
    let (readers, hasBegun) = (Lock<[TestThread]>([]), Latch())
    let updater = TestThread {
      // It fails if the file stays incomplete for long.
      while !hasBegun.isOpen {
        try? store.update { _ in
          hasBegun.open()
          for reader in readers.withLock({ $0 }) { #expect(reader.join()) }
        }
      }
    }
    readers.withLock { readers in
      readers = [
        TestThread { _ = store.plistValue(forKey: "k") },
        TestThread { _ = store.observableValue(forKey: "k") },
        TestThread { store.addSuite(named: "suite") }, TestThread { store.set(1, forKey: "k") },
      ]
    }
    Duration.milliseconds(50).sleep()
    try fixture.write(["k": 1], to: name)
    #expect(updater.join())
    #expect(hasBegun.isOpen)
  }

  @Test("An update's body delays the saving of other domains only briefly")
  func slowUpdateOfAnotherDomain() throws {
    let fixture = try StoreFixture()
    let (store, other) = (fixture.store, try fixture.store("other"))
    let (isCalled, mayReturn) = (Latch(), Latch())
    let updater = TestThread {
      store.set(1, forKey: "before")
      try? store.update { _ in
        isCalled.open()
        mayReturn.wait()
      }
    }
    #expect(isCalled.wait())
    // The scheduler finds the first domain busy.
    Duration.milliseconds(200).sleep()
    other.set(1, forKey: "k")
    #expect(eventually { (try? fixture.read("user/other.plist").value) == ["k": 1] })
    mayReturn.open()
    #expect(updater.join())
    try store.flush()
  }

  @Test("Readers see consistent values while observers are added and removed")
  func comingAndGoing() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    store.setPersistentDomain(["k": 1], forName: "suite")
    let isDone = Latch()
    let failures = Lock(0)
    let threads =
      (0..<3).map { number in
        TestThread {
          while !isDone.isOpen {
            let recorder = ChangeRecorder(store, number == 0 ? "k" : "other", initial: true)
            store.set(1, forKey: "own \(number)")
            store.removeObject(forKey: "own \(number)")
            if !recorder.all.isChain(from: recorder.all.first?.oldValue) {
              failures.withLock { $0 += 1 }
            }
          }
        }
      } + [
        TestThread {
          for _ in 0..<300 {
            store.addSuite(named: "suite")
            if store.integer(forKey: "k") != 1 { failures.withLock { $0 += 1 } }
            store.removeSuite(named: "suite")
            if store.containsValue(forKey: "k") { failures.withLock { $0 += 1 } }
          }
          isDone.open()
        }
      ]
    for thread in threads { #expect(thread.join()) }
    #expect(failures.withLock { $0 } == 0)
    try store.flush()
  }

  @Test("Changes found while flushing all are delivered")
  func flushAll() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let recorder = ChangeRecorder(store, "theirs")
    let other = DomainFile(path: store.user.path)
    for number in 1...20 {
      store.set(number, forKey: "ours")
      other.set(.integer(Int64(number)), forKey: "theirs")
      try other.save()
      // Files of other tests may be impossible to save.
      try? PreferencesStore.flushAll(timeout: .milliseconds(200))
      #expect(eventually { recorder.last == .integer(Int64(number)) })
    }
    #expect(recorder.all.isChain())
  }
}
