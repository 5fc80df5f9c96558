import Foundation
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite(
  "Versions without stamps and marks use the same files and the same cluster",
  .timeLimit(.minutes(5)))
struct EarlierVersionTests {
  private static let keys = ["font", "gone", "size", "theme"]
  private let cluster = InMemoryRemoteStore()
  /// Later than all that was recorded.
  private let clock = Clock(820_000_000)

  private func machine(_ files: EarlierVersionFiles? = nil) throws -> Machine {
    let machine = try Machine(
      cluster, hasParts: true, domain: "org.example.editor", clock: clock, starts: false)
    if let files {
      try FileManager.default.createDirectory(
        atPath: machine.folder.path("state"), withIntermediateDirectories: false)
      try machine.folder.write(files.store, to: "store.plist")
      try machine.folder.write(files.state, to: "state/sync.plist")
    }
    return machine
  }

  private func load(_ files: EarlierVersionFiles) async throws {
    for (name, text) in files.entries {
      let data = try #require(Data(base64Encoded: text))
      _ = try await cluster.put(data, forKey: name, replacing: 0)
    }
  }

  private func expect(_ values: PlistDictionary, on machines: Machine...) async throws {
    for _ in 0..<2 { for machine in machines { try await machine.wait() } }
    for machine in machines { #expect(machine.store.plistRepresentation == values) }
  }

  @Test("A later version takes over what an earlier one has left")
  func before() async throws {
    try await load(.before)
    let machine = try machine(.before)
    let (origin, revisions) = (try machine.savedMachine().origin, try await self.revisions())
    machine.start(Self.keys)
    try await machine.wait()
    // Only the pending change is uploaded.
    let after = try await self.revisions()
    #expect(after.keys == revisions.keys)
    #expect(after.filter { revisions[$0.key] != $0.value }.map(\.key) == ["font"])
    #expect(try machine.savedMachine().origin == origin)
    let new = try self.machine()
    new.start(Self.keys)
    try await expect(["font": "sans", "size": 1, "theme": "old"], on: machine, new)
    new.store.set(2, forKey: "size")
    machine.store.removeObject(forKey: "theme")
    try await expect(["font": "sans", "size": 2], on: machine, new)
    #expect(machine.takeFailures() == [])
  }

  @Test("A later version goes on where an earlier one has gone on before")
  func between() async throws {
    try await load(.between)
    let machine = try machine(.between)
    let (origin, revisions) = (try machine.savedMachine().origin, try await self.revisions())
    machine.start(Self.keys)
    try await machine.wait()
    #expect(try await self.revisions() == revisions)
    #expect(try machine.savedMachine().origin == origin)
    let new = try self.machine()
    new.start(Self.keys)
    try await expect(["font": "mono", "size": 2, "theme": "new"], on: machine, new)
    machine.store.set("newest", forKey: "theme")
    try await expect(["font": "mono", "size": 2, "theme": "newest"], on: machine, new)
    // Every value has a stamp again.
    let stored = try machine.store.stampedValues()
    for key in ["font", "size", "theme"] {
      #expect(StampedValue(stored.values[key], stored.stamps.stamp(forKey: key)).time != nil)
    }
    #expect(machine.takeFailures() == [])
  }

  /// The revisions of the values in the cluster. The removal may be collected.
  private func revisions() async throws -> [String: Int64] {
    let entries = try await cluster.values(ofDomain: "org.example.editor").entries().entries
    return Dictionary(
      uniqueKeysWithValues: entries.filter { $0.key != "gone" }.map { ($0.key, $0.revision) })
  }

  @Test("An earlier version can read what a later one writes beside its own")
  func readable() async throws {
    let a = try machine()
    a.start(Self.keys)
    for key in Self.keys { a.store.set("value", forKey: key) }
    try await a.wait()
    // Earlier readers had these rules.
    let machine = try a.savedMachine()
    let state = try Plist.read(a.folder.data("state/sync.plist")).value
    guard case .dictionary(let values) = state,
      case .dictionary(let saved)? = values[StateFileName.machine],
      case .string(machine.origin)? = saved["origin"], case .data(let mark)? = saved["mark"],
      case .dictionary(let noted)? = try? Plist.read(mark, as: .binary).value,
      case .date? = noted["date"], case .integer? = noted["revision"]
    else {
      Issue.record("unexpected state file: \(state)")
      return
    }
    for key in Self.keys {
      guard case .dictionary(let entry)? = values[key], case .data(let record)? = entry["record"]
      else {
        Issue.record("unexpected entry of \(key)")
        continue
      }
      #expect(try SyncRecord(record).value == "value")
      #expect(entry.count == 1)
    }
  }
}
