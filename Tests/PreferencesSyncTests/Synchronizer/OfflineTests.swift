import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("Pending uploads are kept until the remote store can be reached")
struct OfflineTests {
  let remote = InMemoryRemoteStore()

  @Test("The last value of each key survives restarts")
  func restarts() async throws {
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
            try machine.savedEntry($0)?.record.value == .string($0 + "\(number)")
          }
        })
      try machine.restart(keys)
    }
    for key in keys { #expect(try machine.savedEntry(key)?.isPending == true) }
    remote.isReachable = true
    try machine.restart(keys)
    try await machine.wait()
    for key in keys {
      #expect(try remote.value(key) == .string(key + "3"))
      #expect(try machine.savedEntry(key)?.isPending == false)
    }
    #expect(remote.counts.puts == 3)
  }

  @Test("Values are uploaded in the order in which they were set")
  func order() async throws {
    let keys = ["c", "a", "d", "b"]
    let machine = try Machine(remote, starts: false)
    machine.start(keys)
    try await machine.wait()
    remote.isReachable = false
    for (number, key) in keys.enumerated() {
      machine.clock.set(2000 + Double(number))
      machine.store.set(number, forKey: key)
      try machine.store.saveChanges()
    }
    let uploads = Recorder<String>()
    remote.intercept { point in
      if case .beforePut(let key) = point { uploads.record(key) }
    }
    remote.isReachable = true
    try await machine.wait()
    #expect(uploads.all == keys)
  }

  @Test("Failed attempts are reported and retried")
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

  @Test("An attempt is made at once on request")
  func request() async throws {
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

  @Test("Remote changes arrive after a reconnection")
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
    "A remote removal is applied, unless the value was changed here",
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
      // As an editor would do, some time later.
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

  @Test("A change by a program without stamps has the date of the file")
  func fileDate() async throws {
    let machine = try Machine(remote)
    machine.store.set(1, forKey: "k")
    try await machine.wait()
    try machine.stop()
    try machine.folder.changePlist("store.plist") { $0["k"] = 2 }
    let path = machine.folder.path("store.plist")
    let date = Date(timeIntervalSinceReferenceDate: 5000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    machine.store.synchronize()
    machine.clock.set(9000)
    machine.start()
    try await machine.wait()
    let record = try remote.record(forKey: "k")
    #expect(record?.date == date)
    #expect(record?.value == 2)
  }

  @Test("A crash between saving a remote value to the state file and to the store loses nothing")
  func interruptedReplacement() async throws {
    let machine = try Machine(remote)
    machine.store.set("old", forKey: "k")
    try await machine.wait()
    try machine.stop()
    // The state on disk at that point.
    let new = try SyncRecord(date: Date(timeIntervalSinceReferenceDate: 2000), value: "new")
    let old = try SyncRecord(date: new.date, value: "old")
    let entry = StateFileEntry(record: new, isPending: false, isUndated: false, replaced: old)
    try await PreferencesStore(fileAt: machine.stateFilePath).update { $0["k"] = entry.value }
    try await remote.put("new", at: 2000)
    machine.clock.set(9000)
    remote.isReachable = false
    machine.start()
    #expect(await eventually { machine.value == "new" })
    remote.isReachable = true
    try await machine.wait()
    #expect(machine.value == "new")
    #expect(remote.counts.puts == 2)
    #expect(try machine.savedEntry()?.replaced == nil)
  }
}
