import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Migrations of a store's domain", .timeLimit(.minutes(5)))
struct MigrationTests {
  private struct StepError: Error, CustomStringConvertible {
    let description = "not a color"
  }

  private let folder: TemporaryFolder
  private let locations: DomainLocations
  private let domain = "org.example.migrated"
  private let key = PreferencesMigration.versionKey

  init() throws {
    folder = try TemporaryFolder()
    locations = DomainLocations(within: folder.path)
    try FileManager.default.createDirectory(
      atPath: locations.user, withIntermediateDirectories: false)
  }

  private func name(_ domain: String) -> String { "user/\(domain).plist" }
  private var path: String { folder.path(name(domain)) }

  /// Replaces the file, which an open store may read at any time.
  private func write(_ values: PlistDictionary, as format: PlistFormat = .xml) throws {
    try Plist.write(.dictionary(values), as: format)
      .write(to: URL(filePath: path), options: .atomic)
  }

  private func values(_ domain: String? = nil) throws -> PlistDictionary {
    guard
      case .dictionary(let values) = try Plist.read(folder.data(name(domain ?? self.domain))).value
    else { return [:] }
    return values
  }

  private static let renaming = PreferencesMigration(to: 1, .rename("colour", to: "color"))
  private static let converting = PreferencesMigration(
    to: 2,
    .convert("color", from: String.self) { text in
      guard text == "red" else { throw StepError() }
      return 0xFF0000
    })

  private func options(_ migrations: PreferencesMigration...) -> PreferencesStore.Options {
    var options = PreferencesStore.Options()
    options.locations = locations
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    options.migrations = migrations
    return options
  }

  private func open(_ migrations: PreferencesMigration...) throws -> PreferencesStore {
    var options = options()
    options.migrations = migrations
    return try PreferencesStore(domain: domain, options: options)
  }

  // MARK: When steps run

  @Test("run before the store is read, and are on disk then")
  func migrate() throws {
    try write(["colour": "red", "size": 3])
    let store = try open(Self.renaming, Self.converting)
    #expect(try values() == ["size": 3, "color": 0xFF0000, key: 2])
    #expect(store.integer(forKey: "color") == 0xFF0000)
    #expect(!store.isReadOnly && store.problems.isEmpty)
    store.set(1, forKey: "size")
    try store.flush()
    #expect(try values() == ["size": 1, "color": 0xFF0000, key: 2])
  }

  @Test("run from the version of the domain on")
  func someSteps() throws {
    try write(["color": "red", "colour": "kept", key: 1])
    _ = try open(Self.renaming, Self.converting)
    #expect(try values() == ["color": 0xFF0000, "colour": "kept", key: 2])
  }

  @Test("leave a file of the newest version alone")
  func current() throws {
    try write(["colour": "red", key: 2])
    let before = try folder.data(name(domain))
    let store = try open(Self.renaming, Self.converting)
    #expect(store.string(forKey: "colour") == "red")
    #expect(try folder.data(name(domain)) == before)
    #expect(try folder.names("user") == ["\(domain).plist"])
  }

  @Test("make a new domain one of the newest version, once it is saved", arguments: [false, true])
  func new(hasEmptyFile: Bool) throws {
    if hasEmptyFile { try write([:]) }
    let store = try open(Self.renaming, Self.converting)
    #expect(try folder.names("user") == (hasEmptyFile ? ["\(domain).plist"] : []))
    #expect(!store.isReadOnly)
    store.set("x", forKey: "colour")
    store.set("y", forKey: "size")
    try store.flush()
    #expect(try values() == ["colour": "x", "size": "y", key: 2])
    #expect(store.plistRepresentation == ["colour": "x", "size": "y", key: 2])
    #expect(
      try folder.names("user") == [".\(domain).plist.lock", "\(domain).plist"])
  }

  @Test(
    "run in stores of one file, in binary files and OpenStep text",
    arguments: [
      PlistFormat.xml, .binary, .openStep,
    ])
  func formats(format: PlistFormat) throws {
    let file = folder.path("state.plist")
    let old =
      format == .openStep
      ? Data("{ colour = red; }".utf8) : try Plist.write(["colour": "red"], as: format)
    try folder.write(old, to: "state.plist")
    let store = PreferencesStore(fileAt: file, options: options(Self.renaming, Self.converting))
    #expect(store.plistRepresentation == ["color": 0xFF0000, key: 2])
    let document = try Plist.read(folder.data("state.plist"))
    #expect(document.value == .dictionary(["color": 0xFF0000, key: 2]))
    #expect(document.format == (format == .binary ? .binary : .xml))
    #expect(try folder.data("state.plist.version-0") == old)
  }

  @Test("do not run in read-only stores, in memory, and in other layers")
  func elsewhere() throws {
    try write(["colour": "red"])
    try folder.makeFolder("managed")
    let managed = try Plist.write(["colour": "blue"], as: .xml)
    try folder.write(managed, to: "managed/\(domain).plist")
    var options = options(Self.renaming)
    options.isReadOnly = true
    let store = try PreferencesStore(domain: domain, options: options)
    #expect(store.origins(forKey: "colour").map(\.value) == ["blue", "red"])
    #expect(try values() == ["colour": "red"])
    options.isReadOnly = false
    let memory = PreferencesStore.inMemory(options: options)
    memory.set(1, forKey: "a")
    #expect(memory.plistRepresentation == ["a": 1])
    _ = try PreferencesStore(domain: domain, options: options)
    #expect(try values() == ["color": "red", key: 1])
    #expect(try folder.data("managed/\(domain).plist") == managed)
  }

  @Test("include what other stores of the process have not saved")
  func unsaved() throws {
    try write(["size": 3])
    let other = try open()
    other.set("red", forKey: "colour")
    let changes = ChangeRecorder(other, "color")
    _ = try open(Self.renaming, Self.converting)
    #expect(other.plistRepresentation == ["size": 3, "color": 0xFF0000, key: 2])
    #expect(changes.all == [PreferencesChange(nil, 0xFF0000, of: "color")])
    #expect(try values() == ["size": 3, "color": 0xFF0000, key: 2])
  }

  @Test("run before the check of the new version, which their result has to pass")
  func check() throws {
    try write(["colour": "red"])
    var options = options(Self.renaming)
    options.check = { values in
      guard values["color"] != nil, values["size"] != nil else { throw StepError() }
    }
    let store = try PreferencesStore(domain: domain, options: options)
    #expect(store.problems.first == .refused(path: path, reason: "not a color"))
    #expect(try values() == ["colour": "red"])
    try write(["colour": "red", "size": 1])
    let later = try PreferencesStore(domain: domain, options: options)
    #expect(later.problems == [])
    #expect(try values() == ["size": 1, "color": "red", key: 1])
    withExtendedLifetime(store) {}
  }

  @Test("leave a file of the newest version to its check")
  func checkOfNewest() throws {
    try write(["colour": "red", key: 1])
    var options = options(Self.renaming)
    options.check = { values in if values["colour"] != nil { throw StepError() } }
    let store = try PreferencesStore(domain: domain, options: options)
    #expect(store.problems == [.refused(path: path, reason: "not a color")])
    #expect(store.plistRepresentation == [:])
    #expect(try values() == ["colour": "red", key: 1])
  }

  // MARK: What is refused

  @Test("that fail leave the file, and a store that refuses changes and says why")
  func failure() throws {
    let events = Recorder<PreferencesEvent>()
    let observation = PreferencesStore.onEvent { [path] in
      if $0.path == path || $0.domain == "org.example.migrated" { events.record($0) }
    }
    defer { observation.cancel() }
    try write(["colour": "blue"])
    let before = try folder.data(name(domain))
    let store = try open(Self.renaming, Self.converting)
    let error = PreferencesError.failedMigration(path: path, version: 2, reason: "not a color")
    #expect("\(error)" == "\(path): the migration to version 2 failed: not a color")
    #expect(store.isReadOnly && store.problems == [error])
    #expect(store.string(forKey: "colour") == "blue")
    #expect(throws: error) { try store.validate() }
    #expect(throws: error) { try store.setAny(1, forKey: "a") }
    #expect(throws: error) { try store.update { $0["a"] = 1 } }
    store.set(1, forKey: "a")
    #expect(throws: error) { try store.flush() }
    #expect(
      events.all == [
        .migrationFailure(error), .refusedChange(domain: domain, key: "a", reason: error),
      ])
    #expect(
      events.all.map { "\($0)" } == [
        "\(error); the preferences are not migrated, and this program does not change them",
        "\(error)",
      ])
    #expect(events.all[0].name == "migrationFailure" && events.all[0].error == error)
    #expect(events.all[0].isWarning && events.all[0].domain == domain)
    #expect(try folder.data(name(domain)) == before)
    #expect(try folder.names("user") == [".\(domain).plist.lock", "\(domain).plist"])
    // Other stores of the file are not affected, and opening another one tries again.
    let other = try open()
    other.set("red", forKey: "colour")
    try other.flush()
    let later = try open(Self.renaming, Self.converting)
    #expect(later.integer(forKey: "color") == 0xFF0000 && !later.isReadOnly)
    // The domain has the version that the first store needs.
    #expect(!store.isReadOnly && store.problems == [])
  }

  @Test(
    "of an older program leave the domain, and only their store is read-only",
    arguments: [
      (
        7,
        "the preferences have version 7; this program knows versions up to 1 and does not change them"
      ),
      (
        .unsignedInteger(.max),
        "the preferences have version 9223372036854775807; this program knows versions up to 1 and does not change them"
      ),
      ("7", "the version of the preferences, LarderVersion, is not an integer"),
    ] as [(PlistValue, String)])
  func newer(version: PlistValue, text: String) throws {
    try write(["colour": "red", key: version])
    let store = try open(Self.renaming)
    #expect(store.string(forKey: "colour") == "red")
    #expect(store.isReadOnly)
    #expect(store.problems.map { "\($0)" } == ["\(path): \(text)"])
    let error = try #require(store.problems.first)
    #expect(throws: error) { try store.setAny(1, forKey: "a") }
    #expect(throws: error) { try store.recover() }
    let other = try open()
    other.set(1, forKey: "a")
    try other.flush()
    #expect(try values() == ["colour": "red", key: version, "a": 1])
  }

  @Test("of a newer program make a running store read-only")
  func newerWhileRunning() throws {
    try write(["color": "red", key: 1])
    let store = try open(Self.renaming)
    store.set("blue", forKey: "color")
    try store.flush()
    try write(["color": 0xFF0000, key: 2])
    let error = PreferencesError.otherVersion(path: path, found: 2, expected: 1)
    // An update reads the file.
    #expect(throws: error) { try store.update { $0["color"] = "green" } }
    #expect(eventually { store.isReadOnly })
    #expect(throws: error) { try store.setAny("green", forKey: "color") }
    #expect(try values() == ["color": 0xFF0000, key: 2])
    #expect(store.integer(forKey: "color") == 0xFF0000)
  }

  @Test("keep what was set before a newer program migrated the domain out of its file")
  func unsavedWhileRunning() throws {
    let engine = PreferencesEngine.manual()
    defer { engine.shutDown() }
    try write(["color": "red", key: 1])
    var options = options(Self.renaming)
    options.engine = engine
    let store = try PreferencesStore(domain: domain, options: options)
    store.set("blue", forKey: "color")
    try write(["color": 0xFF0000, key: 2])
    #expect(throws: PreferencesError.otherVersion(path: path, found: 2, expected: 1)) {
      try store.flush()
    }
    #expect(try values() == ["color": 0xFF0000, key: 2])
    try FileManager.default.removeItem(atPath: path)
    try store.flush()
    #expect(try values() == ["color": "blue", key: 1])
  }

  @Test("are those of the first store of a process")
  func firstStore() throws {
    try write(["colour": "red"])
    let first = try open(Self.renaming)
    let second = try open(Self.renaming, Self.converting)
    #expect(
      second.problems == [.otherVersion(path: path, found: 1, expected: 2)])
    #expect(
      "\(second.problems[0])"
        == "\(path): the preferences have version 1; this program needs version 2 and does not change them"
    )
    #expect(try values() == ["color": "red", key: 1])
    first.set("blue", forKey: "color")
    try first.flush()
    #expect(try values() == ["color": "blue", key: 1])
  }

  @Test("do not touch a damaged file, whose domain is new once it is recovered")
  func damaged() throws {
    try folder.write("<plist><dict><key>colour</key>", to: name(domain))
    let store = try open(Self.renaming)
    store.set(1, forKey: "a")
    #expect(throws: PreferencesError.self) { try store.flush() }
    #expect(try folder.text(name(domain)) == "<plist><dict><key>colour</key>")
    #expect(try folder.names("user") == [".\(domain).plist.lock", "\(domain).plist"])
    #expect(try store.recover() != nil)
    store.set(2, forKey: "b")
    try store.flush()
    #expect(try values() == ["a": 1, "b": 2, key: 1])
  }

  // MARK: The version

  @Test("keep the version when all values are replaced, and start anew when all are removed")
  func replacing() throws {
    try write(["colour": "red"])
    let store = try open(Self.renaming)
    store.setPersistentDomain(["a": 1], forName: domain)
    try store.flush()
    #expect(try values() == ["a": 1, key: 1])
    try store.update { $0 = ["b": 2] }
    #expect(try values() == ["b": 2, key: 1])
    store.removeAll()
    store.set(3, forKey: "c")
    try store.flush()
    #expect(try values() == ["c": 3, key: 1])
    store.removeObject(forKey: key)
    try store.flush()
    #expect(try values() == ["c": 3, key: 1])
    store.removeAll()
    try store.flush()
    #expect(try values() == [:])
    store.set(4, forKey: "d")
    try store.flush()
    #expect(try values() == ["d": 4, key: 1])
  }

  @Test("refuse values of another version")
  func importing() throws {
    try write(["color": "red", key: 1])
    let store = try open(Self.renaming)
    let old = try Plist.write(.dictionary(["colour": "red", key: 0]), as: .xml)
    try folder.write(old, to: "old.plist")
    #expect(throws: PreferencesError.otherVersion(path: path, found: 0, expected: 1)) {
      try store.import(from: folder.path("old.plist"))
    }
    #expect(try values() == ["color": "red", key: 1])
  }

  // MARK: Backups

  @Test("keep copies of the newest older versions, readable only by the owner")
  func backups() throws {
    try write(["colour": "red"])
    var before: [Int: Data] = [:]
    for version in 1...4 {
      let store = try self.store(to: version, backupCount: 2)
      before[version] = try folder.data(name(domain))
      #expect(store.problems == [])
    }
    let backups = [2, 3].map { "\(domain).plist.version-\($0)" }
    #expect(
      try folder.names("user") == [".\(domain).plist.lock", "\(domain).plist"] + backups)
    for (version, backup) in zip([2, 3], backups) {
      #expect(try folder.data("user/\(backup)") == before[version])
      var information = stat()
      #expect(stat(folder.path("user/\(backup)"), &information) == 0)
      #expect(information.st_mode & 0o777 == 0o600)
    }
  }

  @Test("keep no copies if the program wants none")
  func noBackups() throws {
    try write(["colour": "red"])
    _ = try store(to: 1, backupCount: 0)
    #expect(try values() == ["step1": true, "colour": "red", key: 1])
    #expect(try folder.names("user") == [".\(domain).plist.lock", "\(domain).plist"])
  }

  @Test("keep a copy of a file that a link leads to beside the link")
  func link() throws {
    try folder.write(Plist.write(["colour": "red"], as: .xml), to: "target.plist")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path("target.plist"))
    _ = try open(Self.renaming)
    #expect(try values() == ["color": "red", key: 1])
    #expect(
      try folder.names("user") == ["\(domain).plist", "\(domain).plist.version-0"])
  }

  @Test("do not follow a link at the name of the copy")
  func linkedBackup() throws {
    try write(["colour": "red"])
    try folder.write("other", to: "other")
    let link = path + ".version-0"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.path("other"))
    let store = try open(Self.renaming)
    #expect(
      store.problems.map { "\($0)" } == [
        "\(link): not a regular file"
      ])
    #expect(try values() == ["colour": "red"])
    #expect(try folder.text("other") == "other")
  }

  /// A store that uses the file as another process would.
  private func store(to version: Int, backupCount: Int) throws -> PreferencesStore {
    var options = options()
    options.engine = .manual()
    options.locations = locations
    options.migrationBackupCount = backupCount
    options.migrations = (1...version).map { number in
      PreferencesMigration(to: number) { $0["step\(number)"] = true }
    }
    return try PreferencesStore(domain: domain, options: options)
  }

  // MARK: Moving

  @Test("move values to another domain, which keeps its own")
  func moving() throws {
    try write(["a": 1, "b": 2, "c": 3])
    let other = try Plist.write(["b": 20], as: .xml)
    try folder.write(other, to: name("org.example.other"))
    let store = try open(
      PreferencesMigration(to: 1, .move(["a", "b", "missing"], toDomain: "org.example.other")),
      PreferencesMigration(to: 2, .move(["c"], toDomain: "NSGlobalDomain")))
    #expect(try values() == [key: 2])
    #expect(try values("org.example.other") == ["b": 20, "a": 1])
    #expect(try values(".GlobalPreferences") == ["c": 3])
    #expect(store.integer(forKey: "c") == 3)
  }

  @Test("move nothing if a later step fails or the other domain cannot be saved")
  func failedMove() throws {
    try write(["a": 1])
    let moving = PreferencesMigration(to: 1, .move(["a"], toDomain: "org.example.other"))
    let store = try open(moving, PreferencesMigration(to: 2) { _ in throw StepError() })
    #expect(store.isReadOnly)
    #expect(try folder.names("user") == [".\(domain).plist.lock", "\(domain).plist"])
    try folder.write("damaged", to: name("org.example.other"))
    let later = try open(moving)
    #expect(later.problems.map(\.path) == [folder.path(name("org.example.other"))])
    #expect(try values() == ["a": 1])
    #expect(try folder.text(name("org.example.other")) == "damaged")
  }

  @Test("cannot move values to the domain itself")
  func moveToItself() throws {
    try write(["a": 1])
    let store = try open(PreferencesMigration(to: 1, .move(["a"], toDomain: domain)))
    #expect(store.problems == [.withinUpdate(path: path)])
    #expect(try values() == ["a": 1])
  }

  // MARK: Other ways to open a store

  @Test("run when a task opens a store")
  func task() async throws {
    try write(["colour": "red"])
    let store = try await PreferencesStore.open(domain: domain, options: options(Self.renaming))
    #expect(store.string(forKey: "color") == "red")
  }

  @Test("of a manual engine run without a thread")
  func manualEngine() throws {
    let engine = PreferencesEngine.manual()
    defer { engine.shutDown() }
    var options = PreferencesStore.Options(engine: engine)
    options.arguments = []
    let old = try PreferencesStore(domain: domain, options: options)
    old.set("red", forKey: "colour")
    try old.flush()
    options.migrations = [Self.renaming]
    let store = try PreferencesStore(domain: domain, options: options)
    #expect(store.plistRepresentation == ["color": "red", key: 1])
  }
}
