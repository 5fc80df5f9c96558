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
    let rounds = 50_000
    /// What an observer is told, looked at as it comes.
    struct Story {
      var last: PlistValue?
      var gaps = 0
      var count = 0
    }
    let story = Lock(Story())
    let token = store.observe("k") { change in
      story.withLock { story in
        if change.oldValue != story.last { story.gaps += 1 }
        story.last = change.newValue
        story.count += 1
      }
    }
    let ends = [1, -1].map { sign in
      onThread { for number in 1...rounds { store.set(sign * number, forKey: "k") } }
    }
    for end in ends { #expect(end.wait()) }
    #expect(story.withLock { $0.last } == store.plistValue(forKey: "k"))
    let result = story.withLock { $0 }
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
    let (isCalled, mayGo) = (Moment(), Moment())
    let blocked = Heard(store) { _, _ in
      isCalled.come()
      mayGo.wait()
    }
    let (heard, other) = (Heard(store), Heard(store, "other"))
    let writer = onThread { store.set(1, forKey: "k") }
    #expect(isCalled.wait())
    let reader = onThread {
      #expect(store.integer(forKey: "k") == 1)
      #expect(store.plistRepresentation["k"] == 1)
      _ = store.origins(forKey: "k")
    }
    #expect(reader.wait())
    let setter = onThread {
      store.set(1, forKey: "other")
      store.set(2, forKey: "k")
    }
    #expect(setter.wait())
    #expect(other.take() == [PreferencesChange(nil, 1, of: "other")])
    #expect(heard.take() == [PreferencesChange(0, 1), PreferencesChange(1, 2)])
    let saver = onThread {
      #expect((try? store.flush()) != nil)
      #expect((try? store.update { $0["updated"] = 1 }) != nil)
      #expect(store.synchronize())
      store.addSuite(named: "suite")
      store.register(defaults: ["registered": 1])
      #expect(Heard(store, initial: true).take() == [PreferencesChange(2, 2)])
    }
    #expect(saver.wait())
    let canceller = onThread { heard.cancel() }
    #expect(canceller.wait())
    #expect(!writer.isThere)
    #expect(blocked.take() == [PreferencesChange(0, 1)])
    mayGo.come()
    #expect(writer.wait())
    #expect(blocked.take() == [PreferencesChange(1, 2)])
  }

  @Test("An observer blocked on an external change blocks no writer")
  func blockedByOutside() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let (isCalled, mayGo) = (Moment(), Moment())
    let blocked = Heard(store, "theirs") { _, _ in
      isCalled.come()
      mayGo.wait()
    }
    let heard = Heard(store)
    try fixture.write(["theirs": 1], to: "user/\(StoreFixture.domain).plist")
    #expect(isCalled.wait())
    let worker = onThread {
      store.set(1, forKey: "k")
      #expect((try? store.flush()) != nil)
      #expect(store.synchronize())
    }
    #expect(worker.wait())
    #expect(heard.take() == [PreferencesChange(nil, 1)])
    // It is seen, too, only not told to those that wait for the same thread.
    try fixture.write(["theirs": 2], to: "user/\(StoreFixture.domain).plist")
    #expect(eventually { store.integer(forKey: "theirs") == 2 })
    mayGo.come()
    #expect(eventually { blocked.last == 2 })
    #expect(blocked.all.isChain())
  }

  @Test("An update's body blocks neither readers nor setters", arguments: Backing.allCases)
  func slowUpdate(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let heard = Heard(store)
    let (isCalled, mayGo) = (Moment(), Moment())
    let updater = onThread {
      try? store.update { values in
        values["k"] = 1
        isCalled.come()
        mayGo.wait()
      }
    }
    #expect(isCalled.wait())
    let worker = onThread {
      #expect(!store.containsValue(forKey: "k"))
      #expect(store.plistRepresentation == [:])
      store.set(2, forKey: "k")
      #expect(store.integer(forKey: "k") == 2)
      store.removeObject(forKey: "k")
      _ = Heard(store, "k", initial: true)
      _ = store.observableValue(forKey: "k")
      store.addSuite(named: "suite")
    }
    #expect(worker.wait())
    #expect(heard.take() == [PreferencesChange(nil, 2), PreferencesChange(2, nil)])
    mayGo.come()
    #expect(updater.wait())
    #expect(!store.containsValue(forKey: "k"))
    #expect(heard.take() == [])
    try store.flush()
  }

  @Test("An update's body does not block readers that began while its file was loaded")
  func slowUpdateWhileLoading() throws {
    let fixture = try StoreFixture()
    let name = "user/\(StoreFixture.domain).plist"
    try fixture.write([:], to: name)
    // As long as the file is not whole, loading it takes time.
    try fixture.folder.write("<plist><dict>", to: name)
    let store = fixture.store
    let (readers, hasBody) = (Lock<[Moment]>([]), Moment())
    let updater = onThread {
      // It fails while the file is not whole for long.
      while !hasBody.isThere {
        try? store.update { _ in
          hasBody.come()
          for reader in readers.withLock({ $0 }) { #expect(reader.wait()) }
        }
      }
    }
    readers.withLock { readers in
      readers = [
        onThread { _ = store.plistValue(forKey: "k") },
        onThread { _ = store.observableValue(forKey: "k") },
        onThread { store.addSuite(named: "suite") }, onThread { store.set(1, forKey: "k") },
      ]
    }
    Duration.milliseconds(50).sleep()
    try fixture.write(["k": 1], to: name)
    #expect(updater.wait())
    #expect(hasBody.isThere)
  }

  @Test("An update's body delays the saving of other domains only briefly")
  func slowUpdateOfAnotherDomain() throws {
    let fixture = try StoreFixture()
    let (store, other) = (fixture.store, try fixture.store("other"))
    let (isCalled, mayGo) = (Moment(), Moment())
    let updater = onThread {
      store.set(1, forKey: "before")
      try? store.update { _ in
        isCalled.come()
        mayGo.wait()
      }
    }
    #expect(isCalled.wait())
    // The background finds the first domain at work.
    Duration.milliseconds(200).sleep()
    other.set(1, forKey: "k")
    #expect(eventually { (try? fixture.read("user/other.plist").value) == ["k": 1] })
    mayGo.come()
    #expect(updater.wait())
    try store.flush()
  }

  @Test("Readers see consistent values while observers are added and removed")
  func comingAndGoing() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    store.setPersistentDomain(["k": 1], forName: "suite")
    let isEnough = Moment()
    let failures = Lock(0)
    let ends =
      (0..<3).map { number in
        onThread {
          while !isEnough.isThere {
            let heard = Heard(store, number == 0 ? "k" : "other", initial: true)
            store.set(1, forKey: "own \(number)")
            store.removeObject(forKey: "own \(number)")
            if !heard.all.isChain(from: heard.all.first?.oldValue) { failures.withLock { $0 += 1 } }
          }
        }
      } + [
        onThread {
          for _ in 0..<300 {
            store.addSuite(named: "suite")
            if store.integer(forKey: "k") != 1 { failures.withLock { $0 += 1 } }
            store.removeSuite(named: "suite")
            if store.containsValue(forKey: "k") { failures.withLock { $0 += 1 } }
          }
          isEnough.come()
        }
      ]
    for end in ends { #expect(end.wait()) }
    #expect(failures.withLock { $0 } == 0)
    try store.flush()
  }

  @Test("Changes found while flushing all are delivered")
  func flushAll() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let heard = Heard(store, "theirs")
    let other = DomainFile(path: store.user.path)
    for number in 1...20 {
      store.set(number, forKey: "ours")
      other.set(.integer(Int64(number)), forKey: "theirs")
      try other.save()
      // Files of other tests may be such that cannot be saved.
      try? PreferencesStore.flushAll(timeout: .milliseconds(200))
      #expect(eventually { heard.last == .integer(Int64(number)) })
    }
    #expect(heard.all.isChain())
  }

}
