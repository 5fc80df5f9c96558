import Defaults
import Foundation
import PropertyList
import TypedPreferences
import Testing

@Suite("load() and store()")
struct StrictAccessTests {
  @Test("Loading returns the value, or the default if nothing is stored")
  func loading() throws {
    let fixture = KeyFixture()
    let key = fixture.key(default: 1)
    #expect(try key.load() == 1)
    try key.store(5)
    #expect(try key.load() == 5)
    #expect(fixture.stored == 5)
  }

  @Test("Loading a bad value throws and reports nothing")
  func loadingBadValue() {
    let fixture = KeyFixture(stored: [1, "two"])
    let key = fixture.key(default: [Int]())
    #expect {
      try key.load()
    } throws: { error in
      (error as? Defaults.Failure)?.description
        == "InMemory, \(fixture.name): cannot be read: expected an integer, found a string (at 1)"
    }
    #expect(fixture.failures == [])
    #expect(fixture.stored == [1, "two"])
  }

  @Test("Storing a bad value throws and keeps the stored one")
  func storingBadValue() throws {
    let fixture = KeyFixture()
    let key = fixture.key(default: Date?.none)
    try key.store(Date(timeIntervalSinceReferenceDate: 5))
    #expect {
      try key.store(Date(timeIntervalSinceReferenceDate: .infinity * 0))
    } throws: { error in
      (error as? Defaults.Failure)?.description
        == "InMemory, \(fixture.name): cannot be stored: expected a date that is not NaN"
    }
    #expect(fixture.stored == .date(Date(timeIntervalSinceReferenceDate: 5)))
    #expect(fixture.failures == [])
  }

  @Test("Storing nil removes the value")
  func storingNil() throws {
    let fixture = KeyFixture(stored: 1)
    try fixture.key(default: Int?.none).store(nil)
    #expect(fixture.stored == nil)
  }
}
