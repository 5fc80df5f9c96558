import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Access to the store's own domain")
struct OwnDomainTests {
  @Test("Own values and their changes are visible, whatever overrides them")
  func hidden() throws {
    let fixture = try StoreFixture()
    let store = try fixture.store(arguments: ["-k", "hidden"])
    store.register(defaults: ["r": 1])
    let keys = Recorder<String>()
    let token = store.observeOwnDomain { keys.record($0) }
    store.set("own", forKey: "k")
    store.set(1, forKey: "r")
    store.register(defaults: ["other": 1])
    store.set("own", forKey: "k")
    store.removeObject(forKey: "k")
    #expect(keys.all == ["k", "r", "k"])
    #expect(store.ownValue(forKey: "k") == nil)
    #expect(store.ownValue(forKey: "r") == 1)
    #expect(store.ownValue(forKey: "other") == nil)
    #expect(store.plistValue(forKey: "k") == "hidden")
    token.cancel()
    store.set(2, forKey: "k")
    #expect(keys.all.count == 3)
    try store.flush()
  }

  @Test("A value is replaced if it is the expected one", arguments: Backing.allCases)
  func replacement(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let recorder = ChangeRecorder(store)
    #expect(!store.replaceOwnValue(1, with: 2, forKey: "k"))
    #expect(store.replaceOwnValue(nil, with: 1, forKey: "k"))
    #expect(!store.replaceOwnValue(nil, with: 2, forKey: "k"))
    #expect(store.replaceOwnValue(1, with: 2, forKey: "k"))
    #expect(recorder.take() == [PreferencesChange(nil, 1), PreferencesChange(1, 2)])
    try store.flush()
    if backing == .files { #expect(try fixture.read().value == ["k": 2]) }
    #expect(store.replaceOwnValue(2, with: nil, forKey: "k"))
    #expect(recorder.take() == [PreferencesChange(2, nil)])
  }

  @Test("The own file is missing, unsaved, saved or unreadable")
  func file() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    #expect(try store.ownFile() == .missing)
    store.set(1, forKey: "k")
    #expect(try [.unsaved, .saved(try modificationDate(fixture))].contains(store.ownFile()))
    try store.flush()
    #expect(try store.ownFile() == .saved(try modificationDate(fixture)))
    try fixture.folder.write("<plist>", to: "user/\(StoreFixture.domain).plist")
    store.synchronize()
    #expect(throws: PreferencesError.self) { try store.ownFile() }
    try store.recover()
    #expect(try store.ownFile() == .missing)
    #expect(try PreferencesStore.inMemory().ownFile() == .unsaved)
  }

  /// The modification date of the store's file, or the distant past if there is none.
  private func modificationDate(_ fixture: StoreFixture) throws -> Date {
    let path = fixture.path("user/\(StoreFixture.domain).plist")
    var information = stat()
    guard stat(path, &information) == 0 else { return .distantPast }
    let time = information.st_mtim
    let nanoseconds = Double(time.tv_sec * 1_000_000_000 + time.tv_nsec)
    return Date(timeIntervalSince1970: nanoseconds / 1_000_000_000)
  }
}
