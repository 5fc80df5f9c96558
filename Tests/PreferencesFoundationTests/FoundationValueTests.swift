import Foundation
import PreferencesFoundation
import PropertyList
import Testing

@Suite("Objects of Foundation are stored as property list values")
struct FoundationValueTests {
  private let store = PreferencesStore.inMemory()

  private func stored(_ value: Any?) -> PlistValue? {
    store.set(value, forKey: "k")
    return store.plistValue(forKey: "k")
  }

  /// Returns whether two values are equal and of the same kind.
  private func isExactly(_ one: PlistValue?, _ other: PlistValue) -> Bool {
    one == other && "\(one ?? .null)" == "\(other)"
  }

  @Test(
    "A number keeps its kind and width",
    arguments: [
      (NSNumber(value: true), .boolean(true)), (NSNumber(value: false), .boolean(false)),
      (true, .boolean(true)), (1, .integer(1)), (0, .integer(0)), (1.0, .real(1)),
      (NSNumber(value: 1), .integer(1)), (NSNumber(value: Int8(-1)), .integer(-1)),
      (NSNumber(value: UInt8(1)), .integer(1)), (NSNumber(value: Int16(1)), .integer(1)),
      (NSNumber(value: Int32.min), .integer(Int64(Int32.min))),
      (NSNumber(value: UInt32.max), .integer(Int64(UInt32.max))),
      (NSNumber(value: Int64.min), .integer(.min)), (NSNumber(value: Int64.max), .integer(.max)),
      (NSNumber(value: UInt64(1)), .integer(1)),
      (NSNumber(value: UInt64.max), .unsignedInteger(.max)),
      (NSNumber(value: UInt64(1) << 63), .unsignedInteger(1 << 63)),
      (NSNumber(value: Float(0.1)), .float(0.1)), (NSNumber(value: 0.1), .real(0.1)),
      (NSNumber(value: Double.infinity), .real(.infinity)),
      (NSDecimalNumber(string: "0.5"), .real(0.5)),
    ] as [(NSNumber, PlistValue)])
  func numbers(number: NSNumber, value: PlistValue) {
    #expect(isExactly(stored(number), value))
    #expect(isExactly(stored([number] as [Any]), .array([value])))
    #expect(isExactly(stored(["n": number] as [String: NSNumber]), ["n": value]))
    #expect(isExactly(stored(NSArray(object: number)), .array([value])))
    let dictionary = NSDictionary(object: number, forKey: "n" as NSString)
    #expect(isExactly(stored(dictionary), ["n": value]))
  }

  @Test("A CGFloat is a real")
  func cgFloat() {
    #expect(isExactly(stored(CGFloat(1.5)), .real(1.5)))
  }

  @Test("Strings, data and dates are stored as such")
  func leaves() {
    let date = Date(timeIntervalSinceReferenceDate: 12.25)
    #expect(stored(NSString(string: "e\u{301}")) == .string("e\u{301}"))
    #expect(stored(NSMutableString(string: "m")) == "m")
    #expect(stored(NSData(data: Data([1, 2]))) == .data(Data([1, 2])))
    #expect(stored(NSMutableData(data: Data([3]))) == .data(Data([3])))
    #expect(stored(NSDate(timeIntervalSinceReferenceDate: 12.25)) == .date(date))
  }

  @Test("URLs keep their text", arguments: ["https://a.b/c?x=1#f", "file:///a%20b", "c?x=1"])
  func urls(text: String) {
    _ = stored(NSURL(string: text))
    #expect(store.url(forKey: "k")?.absoluteString == text)
  }

  @Test("A relative URL is stored as an absolute one")
  func relativeURL() {
    _ = stored(NSURL(string: "c", relativeTo: URL(string: "https://a.b/")))
    #expect(store.url(forKey: "k")?.absoluteString == "https://a.b/c")
  }

  @Test("Later changes of a mutable object do not change the stored value")
  func mutation() {
    let text = NSMutableString(string: "a")
    let array = NSMutableArray(array: [text])
    #expect(stored(array) == ["a"])
    text.append("b")
    array.add(1)
    #expect(store.plistValue(forKey: "k") == ["a"])
    #expect(store.object(forKey: "k") as? [String] == ["a"])
  }

  @Test("Containers may hold objects, values and each other")
  func containers() {
    let date = NSDate(timeIntervalSinceReferenceDate: 5)
    let array = NSArray(array: [NSNumber(value: true), "s", NSArray(), date])
    let dictionary = NSMutableDictionary()
    dictionary["list" as NSString] = array
    dictionary["text"] = NSString(string: "t")
    let expected: PlistValue = [
      "list": [true, "s", [], .date(Date(timeIntervalSinceReferenceDate: 5))], "text": "t",
    ]
    #expect(stored(dictionary) == expected)
    #expect(stored([dictionary, ["k": dictionary]] as [Any]) == [expected, ["k": expected]])
    #expect(stored(nestedLiteral) == ["a": ["b": [1, 2.5]]])
  }

  private var nestedLiteral: NSDictionary {
    ["a": ["b": [1, 2.5] as NSArray] as NSDictionary]
  }

  @Test("Objects can be registered and stored as part of a domain")
  func domains() {
    store.register(defaults: ["s": NSString(string: "t"), "b": NSNumber(value: true)])
    #expect(store.object(forKey: "s") as? String == "t")
    #expect(store.plistValue(forKey: "b") == true)
    store.setPersistentDomain(["d": NSDictionary()], forName: store.domain)
    #expect(store.plistValue(forKey: "d") == [:])
  }

  @Test("Objects that property lists cannot hold are rejected")
  func refusal() {
    func error(_ value: Any) -> String? {
      do throws(PreferencesError) {
        try store.setAny(value, forKey: "k")
        return nil
      } catch {
        return "\(error)"
      }
    }
    func cannot(_ type: String) -> String {
      "k: a value of type \(type) cannot be stored in preferences; store it as data or a string, or "
        + "conform its type to PlistValueConvertible"
    }
    func null(_ place: String) -> String {
      "\(place): null cannot be stored in preferences; leave it out"
    }
    #expect(error(NSNull()) == null("k"))
    #expect(error(NSArray(array: [1, NSNull()])) == null("k.1"))
    #expect(error(["n": ["m": NSNull()]]) == null("k.n.m"))
    #expect(error(NSSet(object: 1)) == cannot("NSSet"))
    #expect(
      error(NSDictionary(object: "v", forKey: NSNumber(value: 1)))
        == "k: a value of type NSDictionary cannot be stored in preferences; its keys must be strings"
    )
    #expect(error(NSObject()) == cannot("NSObject"))
    var nested = NSArray()
    for _ in 0..<512 { nested = NSArray(object: nested) }
    #expect(
      error(nested)
        == "k: a value cannot be stored in preferences: containers are nested deeper than 512 levels"
    )
    #expect(!store.containsValue(forKey: "k"))
  }

  @Test("An object can be converted without a store")
  func convertible() {
    #expect(NSArray(array: [1, "a"]).plistValue == [1, "a"])
    #expect(NSArray(object: NSNull()).plistValue == nil)
    #expect((["a": 1] as NSDictionary).plistValue == ["a": 1])
    #expect(NSNumber(value: true).plistValue == true)
    #expect(NSString("x").plistValue == "x")
  }
}
