import Foundation
import PropertyList
import Synchronization
import TestSupport
import Testing

@testable import Preferences

@Suite("Files changed by other processes are reloaded")
struct LiveReloadTests {
  private let fixture: StoreFixture
  private let store: PreferencesStore
  private let name = "user/\(StoreFixture.domain).plist"

  init() throws {
    fixture = try StoreFixture()
    store = fixture.store
  }

  private func data(
    _ values: PlistDictionary, as format: PlistFormat = .xml
  ) throws -> Data {
    try Plist.write(.dictionary(values), as: format)
  }

  /// Writes to the file in place.
  private func overwrite(_ data: Data) throws {
    let handle = try #require(FileHandle(forWritingAtPath: fixture.path(name)))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: data)
    try handle.close()
  }

  @Test("A file is created, replaced, rewritten, removed, moved and created again")
  func changes() throws {
    let recorder = ChangeRecorder(store)
    let url = URL(fileURLWithPath: fixture.path(name))
    // The folder does not exist yet.
    try fixture.write(["k": 1], to: name)
    #expect(eventually { recorder.last == 1 })
    try data(["k": 2]).write(to: url, options: .atomic)
    #expect(eventually { recorder.last == 2 })
    try overwrite(data(["k": 3]))
    #expect(eventually { recorder.last == 3 })
    try FileManager.default.removeItem(at: url)
    #expect(eventually { recorder.all.last == PreferencesChange(3, nil) })
    try data(["k": 4], as: .binary).write(to: url)
    #expect(eventually { recorder.last == 4 })
    try FileManager.default.moveItem(atPath: url.path, toPath: fixture.path("elsewhere"))
    #expect(eventually { recorder.all.last == PreferencesChange(4, nil) })
    try FileManager.default.removeItem(atPath: fixture.path("user"))
    try fixture.write(["k": 5], to: name)
    #expect(eventually { recorder.last == 5 })
    #expect(recorder.all.isChain())
    #expect(store.integer(forKey: "k") == 5)
    #expect(store.problems == [])
  }

  @Test("A file of any layer changes")
  func layers() throws {
    store.addSuite(named: "suite")
    let recorder = ChangeRecorder(store)
    let paths = store.searchList.entries.compactMap(\.layer.path)
    #expect(paths.count == 14)
    var last: PlistValue?
    var expected: [PreferencesChange] = []
    for (number, path) in paths.enumerated().reversed() {
      let value = PlistValue.integer(Int64(number))
      try fixture.write(["k": value], to: String(path.dropFirst(fixture.folder.path.count + 1)))
      #expect(eventually { recorder.last == value }, "\(path)")
      expected.append(PreferencesChange(last, value))
      last = value
    }
    #expect(recorder.take() == expected)
    // Lower layers are read but make no difference.
    let other = ChangeRecorder(store, "other")
    try fixture.write(
      ["k": "not seen", "other": 1],
      to: String(paths.last!.dropFirst(fixture.folder.path.count + 1)))
    #expect(eventually { other.last == 1 })
    #expect(recorder.take() == [])
  }

  @Test("A symbolic link's target changes, and the link itself")
  func link() throws {
    try fixture.write(["k": 1], to: "one.plist")
    try fixture.write(["k": 2], to: "two.plist")
    try fixture.write([:], to: name)
    let path = fixture.path(name)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: fixture.path("one.plist"))
    let recorder = ChangeRecorder(store, initial: true)
    #expect(recorder.take() == [PreferencesChange(1, 1)])
    try data(["k": 3]).write(to: URL(fileURLWithPath: fixture.path("one.plist")), options: .atomic)
    #expect(eventually { recorder.last == 3 })
    try fixture.folder.link("new", to: fixture.path("two.plist"))
    #expect(rename(fixture.path("new"), path) == 0)
    #expect(eventually { recorder.last == 2 })
    #expect(recorder.all == [PreferencesChange(1, 3), PreferencesChange(3, 2)])
    // It stays a link when the store writes.
    store.set(4, forKey: "k")
    try store.flush()
    #expect(try fixture.read("two.plist").value == ["k": 4])
  }

  @Test("A change of format is noticed, but equal values are no change")
  func format() throws {
    try fixture.write(["k": 1, "l": 1], to: name)
    let recorder = ChangeRecorder(allOf: store)
    try data(["l": 1, "k": 1], as: .binary).write(to: URL(fileURLWithPath: fixture.path(name)))
    #expect(eventually { StateLock.change { $0[store.user.state].lastFile?.format } == .binary })
    try data(["k": 1, "l": 2], as: .binary).write(to: URL(fileURLWithPath: fixture.path(name)))
    #expect(eventually { recorder.last == 2 })
    #expect(recorder.take() == [PreferencesChange(1, 2, of: "l")])
    store.set(2, forKey: "k")
    try store.flush()
    #expect(try fixture.read().format == .binary)
  }

  @Test("A file that cannot be read leaves the old values until it is repaired")
  func corrupt() throws {
    try fixture.write(["k": 1], to: name)
    let recorder = ChangeRecorder(store)
    try overwrite(Data("<plist><dict>".utf8))
    #expect(eventually { store.problems.count == 1 })
    #expect(store.integer(forKey: "k") == 1)
    store.set(1, forKey: "other")
    #expect(throws: PreferencesError.self) { try store.flush() }
    #expect(recorder.take() == [])
    try overwrite(data(["k": 2]))
    #expect(eventually { recorder.last == 2 })
    #expect(recorder.take() == [PreferencesChange(1, 2)])
    #expect(store.problems == [])
    try store.flush()
    #expect(try fixture.read().value == ["k": 2, "other": 1])
  }

  @Test("A recovered file counts as removed")
  func recovery() throws {
    try fixture.write(["k": 1, "l": 1], to: name)
    let recorder = ChangeRecorder(allOf: store)
    store.set(2, forKey: "k")
    store.register(defaults: ["l": 3])
    #expect(recorder.take() == [PreferencesChange(1, 2)])
    try overwrite(Data("<plist><dict>".utf8))
    #expect(try store.recover() != nil)
    #expect(recorder.take() == [PreferencesChange(1, 3, of: "l")])
    try store.flush()
    #expect(try fixture.read().value == ["k": 2])
    #expect(recorder.take() == [])
  }

  @Test("A file that is touched or rewritten with equal values notifies nobody")
  func touched() throws {
    try fixture.write(["k": 1], to: name)
    let (recorder, other) = (ChangeRecorder(store), ChangeRecorder(store, "other"))
    let path = fixture.path(name)
    try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
    try data(["k": 1]).write(to: URL(fileURLWithPath: path), options: .atomic)
    try overwrite(data(["k": 1]))
    try data(["k": 1, "other": 1]).write(to: URL(fileURLWithPath: path), options: .atomic)
    #expect(eventually { other.last == 1 })
    // A file may be read while it is being rewritten; an empty one is ignored.
    #expect(recorder.take() == [])
  }

  @Test("Changes found by the store's own commit are delivered")
  func merged() throws {
    let other = DomainFile(path: store.user.path)
    let recorder = ChangeRecorder(store, keys: ["k", "theirs", "both"])
    for number in Int64(1)...20 {
      other.set(.integer(number), forKey: "theirs")
      other.set(.integer(-number), forKey: "both")
      try other.save()
      // Before or after the file watcher reports the change.
      store.set(.integer(number), forKey: "both")
      store.set(.integer(number), forKey: "k")
      if number % 2 == 0 { try store.flush() } else { try store.update { _ in } }
      #expect(store.plistValue(forKey: "theirs") == .integer(number))
      #expect(
        eventually {
          recorder.all.last { $0.key == "theirs" }?.newValue == .integer(number)
        })
      #expect(try fixture.read().value[PlistKeyPath("both")] == .integer(number))
    }
    for key in ["k", "theirs", "both"] { #expect(recorder.all.filter { $0.key == key }.isChain()) }
  }

  @Test("Unsaved values take precedence, and changes beneath them notify nobody")
  func unsaved() throws {
    try fixture.write(["k": 1, "l": 1], to: name)
    let (recorder, other) = (ChangeRecorder(store), ChangeRecorder(store, "l"))
    try overwrite(Data("<plist><dict>".utf8))
    #expect(eventually { store.problems.count == 1 })
    store.set(2, forKey: "k")
    #expect(throws: PreferencesError.self) { try store.flush() }
    try overwrite(data(["k": 5, "l": 3]))
    #expect(eventually { other.last == 3 })
    #expect(store.integer(forKey: "k") == 2)
    try store.flush()
    #expect(recorder.take() == [PreferencesChange(1, 2)])
    #expect(try fixture.read().value == ["k": 2, "l": 3])
  }

  @Test("A file for whose values nobody asks is left alone until somebody does")
  func unused() throws {
    try fixture.write(["k": 0], to: name)
    store.engine.runtime.watching.begin()
    #expect(store.integer(forKey: "k") == 0)
    let file = store.user
    for round in 1...3 {
      #expect(file.isWatched)
      var number = round * 1_000
      // Not while another test has a handler of events, because events concern all files.
      #expect(
        eventually {
          number += 1
          try? fixture.write(["k": .integer(Int64(number))], to: name)
          return !file.isWatched
        })
      number += 1
      try fixture.write(["k": .integer(Int64(number))], to: name)
      #expect(!file.isWatched)
      #expect(store.integer(forKey: "k") == number)
    }
    #expect(
      eventually {
        try? fixture.write(["k": 1], to: name)
        return !file.isWatched
      })
    // The store does not know that the new value is the same, and does not read the old one to find
    // out.
    #expect(file.set(3, forKey: "other"))
    #expect(file.set(3, forKey: "other"))
    #expect(!file.isWatched)
    try store.flush()
    #expect(try fixture.read().value == ["k": 1, "other": 3])
    #expect(store.integer(forKey: "other") == 3)
    #expect(file.isWatched)
    #expect(!file.set(3, forKey: "other"))
    try store.flush()
  }

  @Test("A file of which somebody is told is read at each change")
  func observedOnly() throws {
    try fixture.write(["k": 0], to: name)
    let file = store.user
    let recorder = ChangeRecorder(store)
    for number in Int64(1)...6 {
      try fixture.write(["k": .integer(number)], to: name)
      #expect(eventually { recorder.last == .integer(number) })
      #expect(file.isWatched)
    }
    #expect(
      recorder.all
        == (1...6).map { PreferencesChange(.integer($0 - 1), .integer($0)) })
  }
}
