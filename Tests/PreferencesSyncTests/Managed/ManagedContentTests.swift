import Foundation
import Glibc
import Preferences
import PreferencesSync
import PreferencesSyncTesting
import PropertyList
import TestSupport
import Testing

@Suite("Managed files keep what they have if the remote store or somebody else has nonsense")
struct ManagedContentTests {
  private let app = "org.example.app"

  /// A machine that has a file.
  private func machine(
    _ remote: InMemoryRemoteStore, limits: ManagedPreferencesLimits = ManagedPreferencesLimits()
  ) async throws -> ManagedMachine {
    try await remote.publish(["k": 1])
    let machine = try ManagedMachine(remote, limits: limits)
    try await machine.wait()
    return machine
  }

  private static let invalid = "the managed key bad of org.example.app has an invalid record: "

  /// A record whose value is nested in arrays.
  private static func nested(_ depth: Int) throws -> Data {
    var value: PlistValue = 1
    for _ in 0..<depth { value = .array([value]) }
    var options = PlistWriteOptions()
    options.limits.maximumDepth = 2000
    return try Plist.write(.array([.date(.now), value]), as: .binary, options: options)
  }

  @Test(
    "A domain with data that is no record stays as it was, and others go on",
    arguments: [
      Data(), Data([1, 2, 3]), Data("{\"not\": \"a record\"}".utf8),
      try Plist.write(["k": 1], as: .binary), try Plist.write([1, 2], as: .binary),
      try Plist.write(.array([.date(.now), .null]), as: .binary),
      try Plist.write(.array([.date(.now), .set([1])]), as: .binary),
      try Plist.write(.array([.date(.now), 1, 2, 3, 4, 5, 6]), as: .binary), try nested(600),
    ])
  func invalidRecord(data: Data) async throws {
    let remote = InMemoryRemoteStore()
    let machine = try await machine(remote)
    try await remote.put(data, forKey: "\(app)/bad")
    try await remote.publish(["x": 1], "org.example.other")
    let error = try #require(await machine.waitForError())
    #expect(error.hasPrefix(Self.invalid), "\(error)")
    #expect(!error.contains("\n"))
    #expect(try machine.file(app) == ["k": 1])
    #expect(try machine.file("org.example.other") == ["x": 1])
    #expect(machine.replica.status.domains.map { $0.error == nil } == [false, true])
    #expect(!machine.replica.status.isComplete)
    // Reported once, and not again as long as it lasts.
    #expect(machine.failures.all.count == 1)
    machine.restart()
    _ = await machine.waitForError()
    #expect(try machine.file(app) == ["k": 1])
    // Publishing removes the record.
    let changes = try await remote.publish(["k": 2])
    #expect(changes.removed == ["bad"])
    try await machine.wait()
    #expect(try machine.file(app) == ["k": 2])
  }

  @Test(
    "A name that leads out of the folder, or to no managed domain, is ignored",
    arguments: [
      "/k", "../k", "./k", "..", "no slash", ".hidden/k", ".GlobalPreferences/k",
      "NSGlobalDomain/k", "NSArgumentDomain/k", "NSRegistrationDomain/k", "EnvironmentDomain/k",
      "a\u{0}b/k", "a\nb/k", "\(String(repeating: "d", count: 250))/k",
    ])
  func invalidName(name: String) async throws {
    let remote = InMemoryRemoteStore()
    let machine = try await machine(remote)
    let before = try machine.folder.names("managed")
    try await remote.put(SyncRecord(date: .now, value: 1).data, forKey: name)
    try await remote.publish(["k": 2])
    try await machine.wait()
    #expect(try machine.file(app) == ["k": 2])
    #expect(try machine.folder.names("managed") == before)
    #expect(try machine.folder.names() == ["managed", "state"])
    let failures = machine.failures.all
    #expect(failures.count == 1)
    #expect(failures[0].hasPrefix("the domain "), "\(failures)")
    #expect(!failures[0].contains("\n") && !failures[0].contains("\0"))
    #expect(machine.replica.status.lastError != nil)
    // Publishing throws the same error, except for the name without a slash, which is valid there.
    if name == "no slash" { return }
    let domain = String(name.prefix { $0 != "/" })
    await #expect(throws: ManagedPreferencesError.invalidDomain(name: domain)) {
      try await remote.publish(["k": 1], domain)
    }
  }

  @Test("What exceeds a limit is refused before it is published and before it reaches a file")
  func limits() async throws {
    var limits = ManagedPreferencesLimits()
    limits.keysOfDomain = 5
    limits.bytesOfDomain = 2000
    limits.domains = 3
    let remote = InMemoryRemoteStore()
    let machine = try await machine(remote, limits: limits)
    var many = PlistDictionary()
    for number in 0..<6 { many["k\(number)"] = 1 }
    let large: PlistDictionary = ["k": .string(String(repeating: "x", count: 2000))]
    for (values, error) in [
      (many, "the managed domain org.example.app has more than 5 keys"),
      (large, "the managed domain org.example.app takes more than 2000 bytes"),
    ] {
      await #expect {
        _ = try await ManagedPreferences.publish(values, domain: app, to: remote, limits: limits)
      } throws: {
        "\($0)" == error
      }
      try await remote.publish(values)
      #expect(await machine.waitForError() == error)
      #expect(try machine.file(app) == ["k": 1])
    }
    try await remote.publish(["k": 1])
    for number in 0..<3 { try await remote.publish(["k": 1], "d\(number)") }
    try await remote.publish(["k": 2])
    #expect(
      await machine.waitForError()
        == "there are more than 3 managed domains; no managed file changes until there are fewer")
    #expect(try machine.file(app) == ["k": 1])
    try await remote.publish([:], "d1")
    try await machine.wait()
    #expect(try machine.file(app) == ["k": 2])
  }

  @Test("A file that somebody else has written, or changed, is left alone until it is moved away")
  func foreignFile() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    let machine = try ManagedMachine(remote, starts: false)
    try FileManager.default.createDirectory(
      atPath: machine.folder.path("managed"), withIntermediateDirectories: false)
    let file = "managed/org.example.app.plist"
    let byHand = "<plist><dict><key>k</key><string>by hand</string></dict></plist>"
    try machine.folder.write(byHand, to: file)
    machine.start()
    let error = """
      folder/\(file): the file was not written by this replica; move it away to have its domain \
      managed
      """
    #expect(await machine.waitForError() == error)
    try await remote.publish(["k": 2])
    try await remote.publish([:])
    try await remote.publish(["k": 3])
    #expect(await machine.waitForError() == error)
    machine.restart()
    #expect(await machine.waitForError() == error)
    #expect(try machine.folder.text(file) == byHand)
    try FileManager.default.removeItem(atPath: machine.folder.path(file))
    try await machine.wait()
    #expect(try machine.file(app) == ["k": 3])
    // A manual change of a file of the replica.
    try machine.folder.write(byHand, to: file)
    #expect(await machine.waitForError() == error)
    try await remote.publish(["k": 4])
    #expect(await machine.waitForError() == error)
    #expect(try machine.folder.text(file) == byHand)
  }

  @Test("Files of domains without keys in the remote store are none of the replica's")
  func otherFiles() async throws {
    let remote = InMemoryRemoteStore()
    let machine = try await machine(remote)
    try machine.folder.write("not a property list", to: "managed/org.example.mine.plist")
    try await remote.publish([:])
    try await machine.wait()
    #expect(try machine.folder.text("managed/org.example.mine.plist") == "not a property list")
    #expect(machine.replica.status.domains.map(\.name) == [app])
  }

  @Test("A lost state file is no harm where files have what the remote store has")
  func lostStateFile() async throws {
    let remote = InMemoryRemoteStore()
    let machine = try await machine(remote)
    machine.stop()
    try FileManager.default.removeItem(atPath: machine.folder.path("state/managed.plist"))
    machine.start()
    try await machine.wait()
    try await remote.publish(["k": 2])
    try await machine.wait()
    #expect(try machine.file(app) == ["k": 2])
  }

  @Test("A damaged state file stops the replica, and is not overwritten")
  func damagedStateFile() async throws {
    let remote = InMemoryRemoteStore()
    let machine = try await machine(remote)
    machine.stop()
    try machine.folder.write("<plist>", to: "state/managed.plist")
    try await remote.publish(["k": 2])
    machine.start()
    let error = try #require(await machine.waitForError())
    #expect(error.hasPrefix("folder/state/managed.plist: "), "\(error)")
    #expect(try machine.file(app) == ["k": 1])
    #expect(try machine.folder.text("state/managed.plist") == "<plist>")
    try machine.replica.recoverStateFile()
    // The file no longer belongs to the replica.
    #expect(await machine.waitForError()?.contains("was not written by this replica") == true)
    try await remote.publish(["k": 1])
    try await machine.wait()
  }

  @Test("A file that cannot be written is tried again, and the others are written")
  func unwritableFile() async throws {
    let remote = InMemoryRemoteStore()
    try await remote.publish(["k": 1])
    try await remote.publish(["x": 1], "org.example.other")
    let machine = try ManagedMachine(remote, starts: false)
    // A folder instead of the file.
    try FileManager.default.createDirectory(
      atPath: machine.folder.path("managed/org.example.app.plist"),
      withIntermediateDirectories: true)
    machine.start(retryDelays: .milliseconds(1)...Duration.milliseconds(5))
    #expect(
      await machine.waitForError()?.hasPrefix("folder/managed/org.example.app.plist: ") == true)
    #expect(try machine.file("org.example.other") == ["x": 1])
    try FileManager.default.removeItem(
      atPath: machine.folder.path("managed/org.example.app.plist"))
    #expect(try await eventually { try machine.file(app) == ["k": 1] })
    #expect(machine.failures.all.count == 1)
  }
}
