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

  @Test("The saved values are those of the file at the time when it was modified")
  func saved() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    #expect(try store.stampedValues().date == nil)
    store.set(1, forKey: "k")
    try store.saveChanges()
    #expect(try store.stampedValues().values == ["k": 1])
    #expect(try store.stampedValues().date == modificationDate(fixture))
    try fixture.folder.write("<plist>", to: "user/\(StoreFixture.domain).plist")
    store.synchronize()
    #expect(throws: PreferencesError.self) { try store.stampedValues() }
    try store.recover()
    #expect(try store.stampedValues().values == [:])
    #expect(try store.stampedValues().date == nil)
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
