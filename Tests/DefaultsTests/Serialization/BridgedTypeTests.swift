import Defaults
import DefaultsExtraTypes
import Foundation
import PropertyList
import Testing

@Suite("Types with a bridge of the library")
struct BridgedTypeTests {
  /// Expects that a value is stored in a given form, by itself and in containers, and read back.
  private func expect<Value: Defaults.Serializable & Equatable>(
    _ value: Value, as stored: PlistValue, default other: Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let fixture = KeyFixture()
    #expect(fixture.keeps(value, default: other), sourceLocation: sourceLocation)
    #expect(fixture.stored == stored, sourceLocation: sourceLocation)
    #expect(
      fixture.keeps([value], default: [other]) && fixture.stored == [stored],
      sourceLocation: sourceLocation)
    #expect(
      fixture.keeps(["k": value], default: [:]) && fixture.stored == ["k": stored],
      sourceLocation: sourceLocation)
  }

  @Test("A Duration whose seconds exceed Int64 is reported and not stored")
  func longDuration() {
    let fixture = KeyFixture(stored: [1, 0])
    let key = fixture.key(default: Duration.zero)
    Defaults[key] = .seconds(Int64.max) * 2
    #expect(Defaults[key] == .seconds(1))
    #expect(fixture.reports == ["cannot be stored: the number cannot be represented as Int64"])
    Defaults[key] = .seconds(Int64.max)
    #expect(Defaults[key] == .seconds(Int64.max))
  }

  @Test("A URL is stored as a JSON string")
  func url() throws {
    let other = URL(string: "x:y")!
    expect(
      URL(string: "https://example.org/a?b=c#d")!, as: #""https:\/\/example.org\/a?b=c#d""#,
      default: other)
    expect(URL(fileURLWithPath: "/tmp/a b"), as: #""file:\/\/\/tmp\/a%20b""#, default: other)
    expect(URL(string: "a/b")!, as: #""a\/b""#, default: other)
  }

  @Test("A URL that JSON would change is stored as an archive, and read back")
  func otherURLs() throws {
    let base = try #require(URL(string: "https://example.org/a"))
    let empty = try #require(URLComponents().url)
    for url in [try #require(URL(string: "b?c", relativeTo: base)), empty] {
      let fixture = KeyFixture()
      #expect(fixture.keeps(url, default: base))
      #expect(fixture.stored?.kind == .data)
      #expect(Defaults[fixture.key(default: base)].baseURL == url.baseURL)
    }
  }

  @Test("A UUID is stored as its text")
  func uuid() {
    let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    expect(UUID(uuidString: text)!, as: .string(text), default: UUID())
  }

  @Test("Range and ClosedRange are stored as arrays of two bounds")
  func ranges() {
    expect(1..<5, as: [1, 5], default: 0..<1)
    expect(1.5...2, as: [.real(1.5), .real(2)], default: 0...1)
    expect("a"..."b", as: ["a", "b"], default: "x"..."y")
    expect(3..<3, as: [3, 3], default: 0..<1)
    let dates = Date(timeIntervalSinceReferenceDate: 1)...Date(timeIntervalSinceReferenceDate: 2)
    expect(
      dates, as: [.date(dates.lowerBound), .date(dates.upperBound)], default: .distantPast ... .now)
  }

  @Test(
    "A range with bounds in reverse order or of another number is rejected",
    arguments: [[5, 1], [1], [1, 2, 3], []] as [PlistValue])
  func badRanges(stored: PlistValue) {
    let text = "cannot be read: expected the lower and upper bounds of a range"
    let fixture = KeyFixture(stored: stored)
    #expect(Defaults[fixture.key(default: 0..<1)] == 0..<1)
    #expect(Defaults[fixture.key(default: 0...1)] == 0...1)
    #expect(fixture.reports == [text, text])
    #expect(fixture.stored == stored)
  }

  @Test("A range with a bound of NaN is rejected")
  func notANumberRange() {
    let fixture = KeyFixture(stored: [.real(.nan), 1])
    #expect(Defaults[fixture.key(default: 0.0...1.0)] == 0...1)
    #expect(fixture.failures.count == 1)
  }

  @Test("A Decimal is stored as its text")
  func decimal() {
    expect(
      Decimal(string: "0.1234567890123456789")!, as: "0.1234567890123456789", default: 0)
    expect(Decimal(-12), as: "-12", default: 0)
    expect(Decimal.nan, as: "NaN", default: 0)
  }

  @Test("Locale and TimeZone are stored as their identifiers")
  func identifiers() {
    expect(
      Locale(identifier: "de_AT"), as: "de_AT", default: Locale(identifier: "en_US_POSIX"))
    expect(
      TimeZone(identifier: "Europe/Vienna")!, as: "Europe/Vienna",
      default: TimeZone(secondsFromGMT: 0)!)
  }

  @Test("A Duration is stored as seconds and attoseconds, a DateInterval as two dates")
  func times() {
    expect(
      Duration.seconds(-3) - .milliseconds(500), as: [-3, -500_000_000_000_000_000],
      default: .zero)
    let start = Date(timeIntervalSinceReferenceDate: 10)
    expect(
      DateInterval(start: start, duration: 5), as: [.date(start), .date(start + 5)],
      default: DateInterval(start: .distantPast, duration: 0))
  }

  @Test("Sets and optionals can contain bridged types")
  func inSets() {
    let fixture = KeyFixture()
    let uuid = UUID()
    #expect(fixture.keeps(Set([uuid]), default: []))
    #expect(fixture.stored == [.string(uuid.uuidString)])
    #expect(fixture.keeps(Set([0..<1, 1..<2]), default: []))
    #expect(fixture.keeps(Decimal?.some(3), default: nil))
  }
}
