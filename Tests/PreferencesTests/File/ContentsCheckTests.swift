import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("The check of a file, and the copy of its last good contents", .timeLimit(.minutes(5)))
struct ContentsCheckTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("k.plist") }
  private var copies: String { folder.path("copies") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Opens a store that wants a port.
  private func store(
    keepsCopy: Bool = false, change: (inout PreferencesStore.Options) -> Void = { _ in }
  ) -> PreferencesStore {
    var options = PreferencesStore.Options()
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    options.check = { values in
      guard case .integer? = values["port"] else { throw Refusal("no port") }
    }
    if keepsCopy { options.lastGoodFolder = copies }
    change(&options)
    return PreferencesStore(fileAt: path, options: options)
  }

  private func write(_ values: PlistDictionary, as format: PlistFormat = .xml) throws {
    try Plist.write(.dictionary(values), as: format)
      .write(to: URL(filePath: path), options: .atomic)
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  /// The events of reading the file and of its copy. Those that the watcher causes come later.
  private func recordEvents() -> (Recorder<PreferencesEvent>, PreferencesObservation) {
    let events = Recorder<PreferencesEvent>()
    let observation = PreferencesStore.onEvent { [folder] event in
      // Saving continues in the background.
      if case .saveFailure = event { return }
      if case .saveRecovery = event { return }
      if event.path?.hasPrefix(folder.path) == true { events.record(event) }
    }
    return (events, observation)
  }

  private var refused: PreferencesError { .refused(path: path, reason: "no port") }

  @Test("A store that is released does not let its changes replace contents that its check refused")
  func releasedStore() throws {
    try write(["port": 1])
    var store: PreferencesStore? = store()
    #expect(store?.integer(forKey: "port") == 1)
    try write(["port": "x"])
    store?.set("zz", forKey: "own")
    #expect(throws: refused) { try store?.flush() }
    let file = store?.user
    store = nil
    var delivery = Delivery()
    #expect(throws: refused) { try file?.commit(within: TimeLimit(.seconds(10)), &delivery) }
    #expect(try Plist.read(folder.data("k.plist")).value == ["port": "x"])
    // The changes are saved, and the check ends, once the contents are good.
    try write(["port": 2])
    try file?.commit(within: TimeLimit(.seconds(10)), &delivery)
    #expect(try Plist.read(folder.data("k.plist")).value == ["own": "zz", "port": 2])
    try write(["port": "y"])
    file?.reload(within: TimeLimit(.seconds(10)), &delivery)
    #expect(file?.problem == nil)
  }

  @Test("Contents that are refused leave the last good ones, which is told once a cause")
  func reload() throws {
    let (events, observation) = recordEvents()
    try write(["port": 1])
    let store = store()
    #expect(store.integer(forKey: "port") == 1)
    try write(["port": "x"])
    for _ in 1...3 { store.synchronize() }
    #expect(store.plistValue(forKey: "port") == 1)
    #expect(store.problems == [refused])
    try write("<plist><dict>")
    store.synchronize()
    let corrupt = try #require(store.problems.first)
    #expect(store.plistValue(forKey: "port") == 1)
    try write(["port": 2])
    store.synchronize()
    #expect(store.plistValue(forKey: "port") == 2)
    #expect(store.problems == [])
    let first = PreferencesEvent.lastGoodContents(path: path, reason: refused)
    let expected: Set = [
      first, .lastGoodContents(path: path, reason: corrupt), .readRecovery(path: path),
    ]
    #expect(eventually { events.all.count == 3 && Set(events.all) == expected })
    #expect(
      "\(first)" == "\(path): refused by the program: no port; the last good values are used")
    #expect(first.error == refused && first.name == "lastGoodContents")
    observation.cancel()
  }

  @Test("A watched file is checked, too")
  func watched() throws {
    try write(["port": 1])
    let store = store()
    let (events, observation) = recordEvents()
    #expect(store.integer(forKey: "port") == 1)
    try write(["port": "x", "other": 1])
    #expect(eventually { !events.all.isEmpty })
    #expect(store.plistRepresentation == ["port": 1])
    try write(["port": 2])
    #expect(eventually { store.integer(forKey: "port") == 2 })
    observation.cancel()
  }

  @Test("Refused contents are not written over, until they are recovered")
  func commit() throws {
    try write(["port": 1])
    let store = store()
    #expect(store.integer(forKey: "port") == 1)
    try write(["port": "theirs"])
    store.set("mine", forKey: "k")
    #expect(throws: refused) { try store.flush() }
    #expect(throws: refused) { try store.update { $0["port"] = 3 } }
    #expect(try Plist.read(folder.data("k.plist")).value == ["port": "theirs"])
    #expect(store.plistRepresentation == ["port": 1, "k": "mine"])
    let aside = try #require(try store.recover())
    #expect(try Plist.read(Data(contentsOf: URL(filePath: aside))).value == ["port": "theirs"])
    try store.flush()
  }

  @Test("Contents that are refused at first give no values")
  func start() throws {
    let (events, observation) = recordEvents()
    try write(["port": "x", "k": 1])
    let store = store()
    #expect(store.plistRepresentation == [:])
    #expect(events.all == [.readFailure(refused)])
    #expect("\(refused)" == "\(path): refused by the program: no port")
    observation.cancel()
  }

  @Test("A file that does not exist is not checked, and can be created")
  func missing() throws {
    let store = store()
    #expect(store.plistRepresentation == [:])
    #expect(store.problems == [])
    store.set(1, forKey: "port")
    try store.flush()
    #expect(try Plist.read(folder.data("k.plist")).value == ["port": 1])
  }

  @Test("The checks of all stores of a file have to pass, as long as these exist")
  func severalStores() throws {
    try write(["port": 1])
    let first = store()
    #expect(first.integer(forKey: "port") == 1)
    var second: PreferencesStore? = store { options in
      options.check = { values in
        if values["host"] == nil { throw Refusal("no host") }
      }
    }
    try write(["port": 2])
    first.synchronize()
    #expect(first.integer(forKey: "port") == 1)
    #expect(first.problems == [.refused(path: path, reason: "no host")])
    try write(["host": "h"])
    first.synchronize()
    #expect(first.problems == [refused])
    second = nil
    try write(["port": 3])
    first.synchronize()
    #expect(first.integer(forKey: "port") == 3)
    withExtendedLifetime(second) {}
  }

  @Test("A large binary file is decoded for its check")
  func large() throws {
    var values: PlistDictionary = ["port": "x"]
    for number in 0..<2_000 {
      values["key \(number)"] = .string(String(repeating: "x", count: 200))
    }
    try write(values, as: .binary)
    let store = store()
    #expect(store.string(forKey: "key 1") == nil)
    values["port"] = 1
    try write(values, as: .binary)
    store.synchronize()
    #expect(store.integer(forKey: "port") == 1)
  }

  @Test("A check that runs after the first reading may read the store")
  func readingCheck() throws {
    try write(["port": 1])
    let seen = Recorder<Int>()
    let box = Recorder<PreferencesStore>()
    let store = store { options in
      options.check = { _ in
        if let store = box.all.first { seen.record(store.integer(forKey: "port")) }
      }
    }
    #expect(store.integer(forKey: "port") == 1)
    box.record(store)
    try write(["port": 2])
    store.synchronize()
    #expect(seen.all.first == 1)
    #expect(store.integer(forKey: "port") == 2)
  }

  @Test("A check that reads the store before there are values ends the program with words")
  func readingCheckAtStart() async throws {
    try write(["port": 1])
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = path as String] in
      let box = Recorder<PreferencesStore>()
      var options = PreferencesStore.Options()
      options.arguments = []
      options.check = { _ in _ = box.all.first?.integer(forKey: "port") }
      let store = PreferencesStore(fileAt: path, options: options)
      box.record(store)
      _ = store.integer(forKey: "port")
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("a check of \(path) reads the preferences that it checks"))
  }

  // MARK: The copy

  /// The domain of the file in a process that has just started.
  private func newProcess(
    _ check: @escaping DomainFile.Check = { values in
      guard case .integer? = values["port"] else { throw Refusal("no port") }
    }
  ) -> (DomainFile, PreferencesObservation) {
    let file = DomainFile(path: path)
    file.keepCopy(in: copies)
    return (file, file.add(check))
  }

  private func copyNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: copies)
  }

  @Test(
    "A file that is bad at the start gives the values of the copy, and stays as it is",
    arguments: ["<plist><dict>", "", #"{"port": "x"}"#, "[1]"])
  func copy(text: String) throws {
    try write(["port": 1, "k": 0.5])
    // Releases the store, which would also watch the file.
    #expect(store(keepsCopy: true).integer(forKey: "port") == 1)
    let name = try #require(try copyNames().first)
    #expect(try copyNames().count == 1)
    #expect(name.hasPrefix("k.plist-"))
    var information = stat()
    #expect(stat(copies + "/" + name, &information) == 0 && information.st_mode & 0o777 == 0o600)

    try write(text)
    let (events, observation) = recordEvents()
    let (file, check) = newProcess()
    #expect(file.allValues == ["port": 1, "k": 0.5])
    let problem = try #require(file.problem)
    #expect(events.all == [.lastGoodContents(path: path, reason: problem)])
    file.set(2, forKey: "k")
    #expect(throws: problem) { try file.save() }
    #expect(try folder.text("k.plist") == text)
    file.set(0.5, forKey: "k")
    try write(["port": 3])
    file.refresh()
    try file.save()
    #expect(file.allValues == ["port": 3, "k": 0.5])
    #expect(file.problem == nil)
    #expect(eventually { events.all.last == .readRecovery(path: path) })
    observation.cancel()
    check.cancel()
  }

  @Test("The copy follows what is read and saved, is written once, and never holds what is refused")
  func following() throws {
    try write(["port": 1])
    let (file, check) = newProcess()
    func copied() throws -> PlistValue {
      try Plist.read(Data(contentsOf: URL(filePath: copies + "/" + copyNames()[0]))).value
    }
    func inode() throws -> UInt64 {
      var information = stat()
      try #require(stat(copies + "/" + copyNames()[0], &information) == 0)
      return UInt64(information.st_ino)
    }
    #expect(file.allValues == ["port": 1])
    #expect(try copied() == ["port": 1])
    let first = try inode()
    try write(["port": 1], as: .binary)
    file.refresh()
    #expect(try inode() == first)
    file.set(2, forKey: "k")
    try file.save()
    #expect(try copied() == ["port": 1, "k": 2])
    try write(["port": "x"])
    file.refresh()
    #expect(try copied() == ["port": 1, "k": 2])
    // A value that this process sets is not checked, but does not make the contents good either.
    try write(["port": 1])
    file.refresh()
    file.set("x", forKey: "port")
    try file.save()
    #expect(try copied() == ["port": 1])
    check.cancel()
  }

  @Test("A copy is not used for a missing file, nor if the check refuses it, too")
  func unusedCopy() throws {
    try write(["port": 1])
    let (first, firstCheck) = newProcess()
    #expect(first.allValues == ["port": 1])
    try FileManager.default.removeItem(atPath: path)
    let (second, secondCheck) = newProcess()
    #expect(second.allValues == [:])
    try write("<plist><dict>")
    let (events, observation) = recordEvents()
    let (third, thirdCheck) = newProcess { _ in throw Refusal("newer version") }
    #expect(third.allValues == [:])
    let problem = try #require(third.problem)
    let copy = copies + "/" + (try copyNames()[0])
    #expect(
      events.all == [
        .copyFailure(.refused(path: copy, reason: "newer version")), .readFailure(problem),
      ])
    observation.cancel()
    for check in [firstCheck, secondCheck, thirdCheck] { check.cancel() }
  }

  @Test("A copy that cannot be written is reported once, and nothing else fails")
  func copyFailure() throws {
    try folder.write("no folder", to: "copies")
    try write(["port": 1])
    let (events, observation) = recordEvents()
    let (file, check) = newProcess()
    #expect(file.allValues == ["port": 1])
    file.set(2, forKey: "k")
    try file.save()
    #expect(events.all.count == 1)
    let event = try #require(events.all.first)
    #expect(event.name == "copyFailure" && event.isWarning)
    #expect(
      "\(event)".hasSuffix(": cannot open: Not a directory; the last good values are not kept"))
    observation.cancel()
    check.cancel()
  }

  /// The calls that read a file.
  enum Reading: String, CaseIterable, Codable, Sendable {
    case get, synchronize, flush, update
  }

  @Test(
    "A check may set an observed value; its observers are called after the read, without a lock",
    arguments: Reading.allCases)
  func observedChange(reading: Reading) async throws {
    try write(["k": 1])
    await #expect(processExitsWith: .success) { [path = path as String, reading] in
      try Self.setInCheck(path: path, reading)
    }
  }

  /// Reads a file with a check that sets a value of another store, whose observer updates the file.
  private static func setInCheck(path: String, _ reading: Reading) throws {
    let other = PreferencesStore.inMemory()
    var options = PreferencesStore.Options()
    options.arguments = []
    options.usesPrivateRegistrationDomain = true
    options.check = { values in other.set(values["k"]!, forKey: "checked") }
    let store = PreferencesStore(fileAt: path, options: options)
    if reading != .get {
      #expect(store.integer(forKey: "k") == 1)
      try Plist.write(["k": 2], as: .xml).write(to: URL(filePath: path), options: .atomic)
    }
    let expected = reading == .get ? 1 : 2
    let isCalled = Latch()
    let observation = other.observe("checked") { _ in
      if isCalled.isOpen { return }
      #expect(store.integer(forKey: "k") == expected)
      #expect(throws: Never.self) { try store.update { $0["observer"] = true } }
      isCalled.open()
    }
    switch reading {
    case .get: #expect(store.integer(forKey: "k") == 1)
    case .synchronize: store.synchronize()
    case .flush:
      store.set(true, forKey: "set")
      try store.flush()
    case .update: try store.update { $0["set"] = true }
    }
    #expect(isCalled.wait())
    observation.cancel()
    #expect(store.integer(forKey: "k") == expected)
    #expect(store.bool(forKey: "observer"))
  }
}
