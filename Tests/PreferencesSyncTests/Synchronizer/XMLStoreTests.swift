import FoundationEssentials
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@testable import Preferences
@testable import PreferencesSync

@Suite("A store with a file in XML rounds its own dates only")
struct XMLStoreTests {
  let remote = InMemoryRemoteStore()
  private static let exact = PlistValue.date(Date(timeIntervalSinceReferenceDate: 5000.75))
  private static let rounded = PlistValue.date(Date(timeIntervalSinceReferenceDate: 5000))

  private func xmlMachine() throws -> Machine {
    let machine = try Machine(remote, starts: false)
    machine.start(
      store: PreferencesStore(fileAt: machine.folder.path("store.plist"), format: .xml))
    return machine
  }

  @Test(
    "Rounded values are not uploaded, not even after a restart",
    arguments: [
      (exact, rounded), (["a": [exact, 1]], ["a": [rounded, 1]]),
    ] as [(PlistValue, PlistValue)])
  func rounding(value: PlistValue, rounded: PlistValue) async throws {
    let plain = try Machine(remote)
    let machines = [try xmlMachine(), try xmlMachine(), plain]
    for machine in machines { try await machine.wait() }
    plain.store.put(value, forKey: "k")
    for _ in 0..<3 {
      for machine in machines { try await machine.wait() }
      for machine in machines { try machine.restart() }
    }
    #expect(machines.map(\.value) == [rounded, rounded, value])
    #expect(try remote.value() == value)
    #expect(remote.counts.puts == 1)
    // The next value replaces the rounded one.
    plain.store.put("next", forKey: "k")
    for machine in machines.reversed() { try await machine.wait() }
    for machine in machines { #expect(machine.value == "next") }
    #expect(remote.counts.puts == 2)
  }

  @Test("A value that the store refuses stops its key and no other")
  func refused() async throws {
    let checked = try Machine(remote, starts: false)
    var options = PreferencesStore.Options()
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    options.valueCheck = { _, value in
      if case .string = value { throw PreferencesError.noUserFolder }
    }
    checked.start(
      ["k", "l"],
      store: PreferencesStore(fileAt: checked.folder.path("store.plist"), options: options))
    let plain = try Machine(remote)
    plain.synchronizer.add(["l"])
    checked.store.set(1, forKey: "k")
    try await checked.wait()
    try await plain.wait()
    plain.store.set("bad", forKey: "k")
    plain.store.set(2, forKey: "l")
    try await plain.wait()
    await #expect(throws: SynchronizationError.self) { try await checked.wait() }
    let failure =
      "the remote value of the key k cannot be stored: folder/store.plist, k: refused by the program: "
      + "\(PreferencesError.noUserFolder)"
    #expect(checked.takeFailures() == [failure])
    #expect(checked.store.plistRepresentation == ["k": 1, "l": 2])
    // No save was attempted whose error the next flush would throw.
    try await checked.store.flush()
    plain.store.set(3, forKey: "k")
    try await plain.wait()
    while (try? await checked.wait()) == nil {}
    #expect(checked.value == 3)
  }

  @Test(
    "A value that XML cannot represent stops its key and no other", arguments: ["here", "there"])
  func unstorable(place: String) async throws {
    let (xml, plain) = (try xmlMachine(), try Machine(remote))
    for machine in [xml, plain] { machine.synchronizer.add(["l"]) }
    xml.store.set("old", forKey: "k")
    try await xml.wait()
    try await plain.wait()
    plain.store.set("a\0b", forKey: "k")
    plain.store.set(1, forKey: "l")
    try await plain.wait()
    let failure =
      "the remote value of the key k cannot be stored: folder/store.plist: "
      + "XML cannot represent the character U+0000 (key path k)"
    for _ in 0..<2 {
      await #expect { try await xml.wait() } throws: {
        "\($0)".replacing(xml.folder.path, with: "folder") == failure
      }
      #expect(xml.takeFailures() == [failure])
      #expect(xml.store.plistRepresentation == ["k": "old", "l": 1])
      try xml.restart(["k", "l"])
    }
    for machine in [xml, plain] { machine.clock.set(2000) }
    (place == "here" ? xml : plain).store.set("new", forKey: "k")
    if place == "there" { try await plain.wait() }
    // The earlier failure may still be reported.
    while (try? await xml.wait()) == nil {}
    try await plain.wait()
    #expect(xml.value == "new")
    #expect(plain.value == "new")
    #expect(remote.counts.puts == 4)
  }

  @Test("A value set in such a store is a change")
  func change() async throws {
    let (xml, plain) = (try xmlMachine(), try Machine(remote))
    plain.store.put(Self.exact, forKey: "k")
    try await plain.wait()
    try await xml.wait()
    xml.store.put(.date(Date(timeIntervalSinceReferenceDate: 6000.5)), forKey: "k")
    try await xml.wait()
    try await plain.wait()
    let date = PlistValue.date(Date(timeIntervalSinceReferenceDate: 6000))
    #expect(plain.value == date)
    xml.store.put(nil, forKey: "k")
    try await xml.wait()
    try await plain.wait()
    #expect(plain.value == nil)
    #expect(remote.counts.puts == 3)
  }
}
