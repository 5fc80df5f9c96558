import Defaults
import Foundation
import PropertyList
import Testing
import TypedPreferences

/// The stored value stays, and the failure is reported.
@Suite("Values that cannot be stored")
struct FailingEncodingTests {
  struct Refusing: Codable, Hashable, Defaults.Serializable {
    var number: Int

    init(_ number: Int) { self.number = number }

    func encode(to encoder: any Encoder) throws {
      guard number >= 0 else {
        throw EncodingError.invalidValue(
          number, EncodingError.Context(codingPath: [], debugDescription: "it is negative"))
      }
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }

    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
    }
  }

  @Test("A value that cannot be encoded keeps the old one and is reported each time")
  func failingEncoding() {
    let fixture = KeyFixture()
    let key = fixture.key(default: Refusing(1))
    Defaults[key] = Refusing(2)
    Defaults[key] = Refusing(-1)
    Defaults[key] = Refusing(-2)
    #expect(Defaults[key] == Refusing(2))
    #expect(fixture.stored == "2")
    #expect(
      fixture.reports == Array(repeating: "cannot be stored: it is negative", count: 2))
    #expect(fixture.failures.allSatisfy { $0.operation == .store })
  }

  @Test("The report names the place of an element that cannot be encoded")
  func failingNestedEncoding() {
    let fixture = KeyFixture(stored: ["a": ["1"]])
    let key = fixture.key(default: [String: [Refusing]]())
    Defaults[key] = ["a": [Refusing(1)], "b": [Refusing(1), Refusing(-1)]]
    #expect(fixture.stored == ["a": ["1"]])
    #expect(fixture.reports == ["cannot be stored: it is negative (at b.1)"])
  }

  @Test("Containers nested too deeply are not stored")
  func tooDeep() {
    let fixture = KeyFixture(stored: 1)
    var value: PlistValue = []
    for _ in 0..<600 { value = [value] }
    let key = Defaults.Key<Defaults.AnySerializable?>(fixture.name, suite: fixture.store)
    Defaults[key] = [value]
    #expect(fixture.stored == 1)
    #expect(fixture.failures.count == 1)
  }
}
