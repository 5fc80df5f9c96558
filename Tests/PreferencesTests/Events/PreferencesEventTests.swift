import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Events", .timeLimit(.minutes(5)))
struct PreferencesEventTests {
  /// The events of one file.
  private final class Events: Sendable {
    private let recorder = Recorder<PreferencesEvent>()
    private let observation: PreferencesObservation

    init(of path: String) {
      observation = PreferencesStore.onEvent { [recorder] event in
        if event.path == path { recorder.record(event) }
      }
    }

    var all: [PreferencesEvent] { recorder.all }

    func cancel() { observation.cancel() }
  }

  @Test("The domain of an event of a file is the file's name, also where the store has no other")
  func parts() {
    let events: [PreferencesEvent] = [
      .valueFailure(domain: "/a/b/app.plist", key: "k", reason: "r"),
      .refusedChange(domain: "/a/b/app.plist", key: "k", reason: .readOnly("/a/b/app.plist")),
      .readRecovery(path: "/a/b/app.plist"),
      .saveFailure(.saveTimeout(path: "/a/b/app.plist", waited: .seconds(2))),
    ]
    for event in events {
      #expect(event.path == "/a/b/app.plist")
      #expect(event.domain == "app")
    }
    #expect(
      "\(events[3])"
        == "/a/b/app.plist: the file could not be saved within 2 seconds; its changes are kept")
    let value = PreferencesEvent.valueFailure(domain: "org.example", key: "k", reason: "r")
    #expect(value.path == nil)
    #expect(value.domain == "org.example")
    #expect(value.key == "k")
  }

  @Test("Saving reports the comments that it removes from an XML file, once")
  func commentLoss() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("c.plist")
    let text =
      "<plist><dict>\n<!-- The port. -->\n<key>port</key><integer>1</integer></dict></plist>\n"
    try folder.write(text, to: "c.plist")
    let events = Events(of: path)
    let store = PreferencesStore(fileAt: path)
    store.set(1, forKey: "port")
    try store.flush()
    #expect(try folder.text("c.plist") == text)
    #expect(events.all == [])
    store.set(2, forKey: "port")
    try store.flush()
    #expect(events.all == [.commentLoss(path: path)])
    #expect("\(events.all[0])" == "\(path): saving has removed the comments in the file")
    store.set(3, forKey: "port")
    try store.flush()
    #expect(events.all == [.commentLoss(path: path)])
    // A change by another process, in a file that has been read before.
    try folder.write(text, to: "c.plist")
    try store.update { $0["port"] = 4 }
    #expect(events.all == [.commentLoss(path: path), .commentLoss(path: path)])
    // No comments.
    try folder.write("{ port = 5; /* none */ }\n", to: "d.plist")
    let others = Events(of: folder.path("d.plist"))
    let other = PreferencesStore(fileAt: folder.path("d.plist"))
    try other.update { $0["port"] = 6 }
    #expect(!others.all.contains { $0.name == "commentLoss" })
  }

  @Test("A file that cannot be read is reported once, and again after it was valid")
  func readFailure() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    try folder.write("<plist><dict>", to: "k.plist")
    let events = Events(of: path)
    let stores = [PreferencesStore(fileAt: path), PreferencesStore(fileAt: path)]
    for store in stores + stores {
      #expect(store.string(forKey: "k") == nil)
      _ = store.synchronize()
    }
    let problem = try #require(stores[0].problems.first)
    #expect(events.all == [.readFailure(problem)])
    #expect("\(events.all[0])" == "\(problem)")

    func replace(with data: Data) throws {
      try data.write(to: URL(filePath: path), options: .atomic)
      _ = stores[0].synchronize()
    }
    try replace(with: Plist.write(["k": "v"], as: .xml))
    #expect(stores[0].string(forKey: "k") == "v")
    try replace(with: Data("<plist><dict>".utf8))
    #expect(
      events.all == [.readFailure(problem), .readRecovery(path: path), .readFailure(problem)])
    events.cancel()
  }

  @Test("A watched file that is bad while it is written in small steps is not reported")
  func slowWriter() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    try folder.write(Plist.write(["k": "v"], as: .xml), to: "k.plist")
    let store = PreferencesStore(fileAt: path)
    #expect(store.string(forKey: "k") == "v")
    /// Writes as another program does, and returns how long the file was bad.
    func write(_ value: PlistValue) throws -> Duration {
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      let start = ContinuousClock.now
      // The watcher is called each time, and the problem stays the same.
      for _ in 1...5 {
        try file.truncate(atOffset: 0)
        Thread.sleep(forTimeInterval: 0.01)
      }
      try file.write(contentsOf: Plist.write(["k": value], as: .xml))
      defer { try? file.close() }
      return .now - start
    }
    // On a busy machine the file may be bad for so long that it is reported.
    let isQuick = try (1...20).contains { round in
      let events = Events(of: path)
      defer { events.cancel() }
      let isQuick = try write(.integer(Int64(round))) < .milliseconds(400)
      #expect(eventually { store.integer(forKey: "k") == round })
      if isQuick { #expect(events.all == []) }
      return isQuick
    }
    #expect(isQuick)
  }

  @Test("A watched file that stays bad is reported without a call")
  func watchedFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    try folder.write(Plist.write(["k": "v"], as: .xml), to: "k.plist")
    let events = Events(of: path)
    let store = PreferencesStore(fileAt: path)
    #expect(store.string(forKey: "k") == "v")
    try Data("<plist><dict>".utf8).write(to: URL(filePath: path), options: .atomic)
    #expect(eventually { events.all.count == 1 })
    #expect(events.all == store.problems.map { .readFailure($0) })
    #expect(store.string(forKey: "k") == "v")
    try Plist.write(["k": "w"], as: .xml).write(to: URL(filePath: path), options: .atomic)
    #expect(eventually { events.all.count == 2 })
    #expect(events.all.last == .readRecovery(path: path))
    #expect("\(events.all[1])" == "\(path): the file can be read again")
    #expect(store.string(forKey: "k") == "w")
    events.cancel()
  }

  @Test("A domain that cannot be saved in the background is reported")
  func saveFailure() throws {
    let folder = try TemporaryFolder()
    try folder.write("no folder", to: "file")
    let path = folder.path("file/k.plist")
    let events = Events(of: path)
    let store = PreferencesStore(fileAt: path)
    let failures = Recorder<PreferencesError>()
    let handler = store.onSaveFailure { failures.record($0) }
    store.set(1, forKey: "k")
    #expect(eventually { !events.all.isEmpty })
    let error = try #require(failures.all.first)
    #expect(events.all.first == .saveFailure(error))
    #expect("\(PreferencesEvent.saveFailure(error))" == "\(error); changes are not saved")
    let timeout = PreferencesError.lockTimeout(
      path: path, waited: .milliseconds(300), lockFile: nil)
    #expect(
      "\(PreferencesEvent.saveFailure(timeout))"
        == "\(path): the file was still locked after 300 milliseconds; nothing was saved")
    handler.cancel()
    // Saving succeeds once there is a folder.
    try FileManager.default.removeItem(atPath: folder.path("file"))
    #expect(eventually { events.all.last == .saveRecovery(path: path) })
    #expect("\(events.all.last!)" == "\(path): all changes are saved again")
    #expect(try Plist.read(folder.data("file/k.plist")).value == ["k": 1])
    events.cancel()
  }

  /// The values stored one after another, and the reported changes of the format.
  static let formats: [(first: PlistDictionary, then: PlistDictionary, reason: String?)] = [
    (["k": 1], ["k": 2], nil),
    (
      ["k": 1], ["list": [1, .date(Date(timeIntervalSinceReferenceDate: 0.5))]],
      "the file is now binary instead of XML: "
        + "XML cannot represent fractions of a second (key path list.1)"
    ),
    (
      [:], ["text": "a\u{1}b"],
      "the file is now binary instead of XML: "
        + "XML cannot represent the character U+0001 (key path text)"
    ),
  ]

  @Test(
    "A change of the format is reported once, with the value that caused it", arguments: formats)
  func format(first: PlistDictionary, then: PlistDictionary, reason: String?) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    let events = Events(of: path)
    let store = PreferencesStore(fileAt: path)
    try store.update { $0 = first }
    for round in 1...2 {
      try store.update { values in
        values = then
        values["round"] = .integer(Int64(round))
      }
    }
    #expect(events.all.map { "\($0)" } == (reason.map { ["\(path): \($0)"] } ?? []))
    #expect(store.problems.isEmpty)
    events.cancel()
  }

  @Test("A file in a format in which no preferences are written becomes XML")
  func otherFormat() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    try folder.write("{ k = v; }", to: "k.plist")
    let events = Events(of: path)
    try PreferencesStore(fileAt: path).update { $0["l"] = 1 }
    #expect(
      events.all.map { "\($0)" } == ["\(path): the file is now XML instead of OpenStep text"])
    events.cancel()
  }

  @Test(
    "A domain that is held to a format never changes it", arguments: [PlistFormat.xml, .binary])
  func pinnedFormat(format: PlistFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("k.plist")
    let events = Events(of: path)
    let store = PreferencesStore(fileAt: path, format: format)
    store.set(Date(timeIntervalSinceReferenceDate: 0.5), forKey: "date")
    try store.flush()
    #expect(PlistFormat(detecting: try folder.data("k.plist")) == format)
    #expect(events.all == [])
    events.cancel()
  }
}
