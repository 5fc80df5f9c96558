import Foundation
import PropertyList
import TestSupport
import Testing
import PreferencesSyncTesting

@testable import Preferences
@testable import PreferencesSync

@Suite("What cannot be uploaded stays until it can")
struct OfflineTests {
  let remote = InMemoryRemoteStore()

  @Test("Over restarts, the last value of each key alone")
  func queue() async throws {
    let keys = ["a", "b", "c"]
    let machine = try Machine(remote, starts: false)
    machine.start(keys)
    try await machine.wait()
    #expect(machine.synchronizer.isConnected)
    remote.isReachable = false
    #expect(await eventually { !machine.synchronizer.isConnected })
    for number in 1...3 {
      for key in keys { machine.store.set(key + "\(number)", forKey: key) }
      #expect(
        try await eventually {
          try keys.allSatisfy {
            try machine.remembered($0)?.record.value == .string($0 + "\(number)")
          }
        })
      try machine.restart(keys)
    }
    for key in keys { #expect(try machine.remembered(key)?.isPending == true) }
    remote.isReachable = true
    try machine.restart(keys)
    try await machine.wait()
    for key in keys {
      #expect(try remote.value(key) == .string(key + "3"))
      #expect(try machine.remembered(key)?.isPending == false)
    }
    #expect(remote.counts.puts == 3)
  }

  @Test("It goes up in the order in which it was set")
  func order() async throws {
    let keys = ["c", "a", "d", "b"]
    let machine = try Machine(remote, starts: false)
    machine.start(keys)
    try await machine.wait()
    remote.isReachable = false
    for (number, key) in keys.enumerated() {
      machine.clock.set(2000 + Double(number))
      machine.store.set(number, forKey: key)
    }
    remote.isReachable = true
    try await machine.wait()
    let entries = try await remote.entries().entries
    #expect(entries.sorted { $0.revision < $1.revision }.map(\.key) == keys)
  }

  @Test("By itself, after failures that are told of")
  func retry() async throws {
    let machine = try Machine(remote, starts: false)
    remote.isReachable = false
    machine.start(retryDelays: .milliseconds(1)...Duration.milliseconds(4))
    machine.store.set(1, forKey: "k")
    var failures: [String] = []
    #expect(
      await eventually {
        failures += machine.takeFailures()
        return failures.count >= 5
      })
    #expect(Set(failures) == ["the remote store cannot be reached"])
    remote.isReachable = true
    #expect(try await eventually { try remote.value() == 1 })
  }

  @Test("At once where that is asked for")
  func prompt() async throws {
    let machine = try Machine(remote, starts: false)
    remote.isReachable = false
    machine.store.set(1, forKey: "k")
    machine.start()
    #expect(await eventually { machine.takeFailures().count == 1 })
    machine.synchronizer.synchronize()
    #expect(await eventually { machine.takeFailures().count == 1 })
    remote.isReachable = true
    machine.synchronizer.synchronize()
    #expect(try await eventually { try remote.value() == 1 })
  }

  @Test("Changes elsewhere arrive when the connection is back, also when it was lost unnoticed")
  func reconnection() async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    try await a.wait()
    try await b.wait()
    remote.compact()
    #expect(await eventually { !b.takeFailures().isEmpty })
    a.store.set(1, forKey: "k")
    try await a.wait()
    #expect(b.value == nil)
    b.synchronizer.synchronize()
    #expect(await eventually { b.value == 1 })
    #expect(await eventually { b.synchronizer.isConnected })
  }

  @Test(
    "A removal elsewhere is made up for, unless the value was changed here",
    arguments: [true, false])
  func removal(isChanged: Bool) async throws {
    let (a, b) = (try Machine(remote), try Machine(remote))
    a.store.set(1, forKey: "k")
    try await a.wait()
    try await b.wait()
    try b.stop()
    a.store.removeObject(forKey: "k")
    try await a.wait()
    if isChanged {
      // As an editor would, some time later.
      try b.folder.write(
        "<plist><dict><key>k</key><integer>2</integer></dict></plist>", to: "store.plist")
      b.store.synchronize()
    }
    b.clock.set(Date.now.timeIntervalSinceReferenceDate + 1)
    b.start()
    try await b.wait()
    #expect(b.value == (isChanged ? 2 : nil))
    #expect(try remote.value() == b.value)
  }

  @Test("A change while no program ran is as old as the file")
  func fileDate() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    try machine.stop()
    machine.store.set(2, forKey: "k")
    try machine.store.flush()
    let path = machine.folder.path("store.plist")
    let date = Date(timeIntervalSinceReferenceDate: 5000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    machine.store.synchronize()
    machine.clock.set(9000)
    machine.start()
    try await machine.wait()
    #expect(try remote.record(forKey: "k") == SyncRecord(date: date, value: 2))
  }

  @Test("A crash between remembering a value from elsewhere and storing it changes nothing")
  func interruptedReplacement() async throws {
    let machine = try Machine(remote)
    machine.store.set("old", forKey: "k")
    try await machine.wait()
    try machine.stop()
    // What is on the disk in that moment.
    let new = try SyncRecord(date: Date(timeIntervalSinceReferenceDate: 2000), value: "new")
    let old = try SyncRecord(date: new.date, value: "old")
    let entry = QueueEntry(record: new, isPending: false, isUndated: false, replaced: old)
    try PreferencesStore(fileAt: machine.queuePath).update { $0["k"] = entry.value }
    try await remote.put("new", at: 2000)
    machine.clock.set(9000)
    remote.isReachable = false
    machine.start()
    #expect(await eventually { machine.value == "new" })
    remote.isReachable = true
    try await machine.wait()
    #expect(machine.value == "new")
    #expect(remote.counts.puts == 2)
    #expect(try machine.remembered()?.replaced == nil)
  }
}
