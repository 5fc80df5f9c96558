import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Untyped values of all kinds that Foundation accepts")
struct UntypedValueTests {
  private let store = PreferencesStore.inMemory()

  private func stored(_ value: Any) throws -> PlistValue? {
    try store.setAny(value, forKey: "k")
    return store.plistValue(forKey: "k")
  }

  @Test("AnyHashable is stored as what it holds, also as an element and as a key")
  func hashable() throws {
    #expect(try stored(AnyHashable("x")) == "x")
    #expect(try stored(AnyHashable(true)) == true)
    #expect(try stored([1, "a"] as [AnyHashable]) == [1, "a"])
    #expect(try stored(["a": 1, "b": "c"] as [String: AnyHashable]) == ["a": 1, "b": "c"])
    let entries: [AnyHashable: Any] = ["a": [AnyHashable(1)], "b": ["c": AnyHashable(2.5)]]
    #expect(try stored(entries) == ["a": [1], "b": ["c": 2.5]])
    #expect(try stored(AnyHashable([AnyHashable("x"): AnyHashable(1)])) == ["x": 1])
    #expect(throws: PreferencesError.self) { try stored([AnyHashable(1): 1] as [AnyHashable: Any]) }
  }

  @Test("A Decimal is the real nearest to it")
  func decimal() throws {
    #expect(try stored(Decimal(string: "0.1")!) == 0.1)
    #expect(try stored([Decimal(-2)]) == [.real(-2)])
    #expect(try stored(Decimal.greatestFiniteMagnitude).map { "\($0)" }?.isEmpty == false)
    guard case .real(let number)? = try stored(Decimal.nan) else {
      Issue.record("no real")
      return
    }
    #expect(number.isNaN)
  }

  @Test("A domain compares as it does with Foundation")
  func domains() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1.5)
    let values: [String: AnyHashable] = [
      "int": 1234, "small": Int8(3), "double": 5678.1234, "bool": true, "text": "some",
      "array": [1, 2, "three"] as [AnyHashable], "date": date, "data": Data([1]),
      "dictionary": ["a": "b", "today": date] as [String: AnyHashable],
    ]
    store.setPersistentDomain(values, forName: "org.example.other")
    let domain = try #require(store.persistentDomain(forName: "org.example.other"))
    #expect(NSDictionary(dictionary: domain) == NSDictionary(dictionary: values))
    #expect(domain["int"] as? Int == 1234)
    #expect(domain["int"] as? NSNumber == 1234)
    #expect(domain["bool"] as? Bool == true)
    #expect(domain["array"] as? [AnyHashable] == [1, 2, "three"])
    #expect(domain["array"] as? NSArray == [1, 2, "three"] as NSArray)
    #expect(domain["text"] as? NSString == "some")
    #expect(domain["dictionary"] as? [String: AnyHashable] == ["a": "b", "today": date])
    store.setVolatileDomain(values, forName: "memory")
    let memory = NSDictionary(dictionary: store.volatileDomain(forName: "memory"))
    #expect(memory == NSDictionary(dictionary: values))
  }

  private struct Photo {}

  @Test("The message of a value that cannot be stored names key, type and place, and what to do")
  func message() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      PreferencesStore.inMemory().set(
        [["photo": 1], ["photo": Photo()]] as [[String: Any]], forKey: "people")
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        "people.1.photo: a value of type Photo cannot be stored in preferences; store it as data or "
          + "a string, or conform its type to PlistValueConvertible"))
  }

  @Test("Without PreferencesFoundation the message tells to import it")
  func foundation() {
    let text = "import PreferencesFoundation, which conforms it to PlistValueConvertible"
    #expect(PreferencesError.remedy(for: "NSNumber") == text)
    #expect(PreferencesError.remedy(for: "NSUUID") != text)
  }
}
