import Foundation
import PropertyList
import Testing

@testable import Preferences

@Suite("Stamps say when keys got their values")
struct StampsTests {
  private static func time(_ seconds: Double, _ counter: UInt32 = 0, _ origin: String = "")
    -> HybridTime
  {
    HybridTime(
      date: Date(timeIntervalSinceReferenceDate: seconds), counter: counter, origin: origin)
  }

  @Test("The text has a line for each machine and key, and reads as the same stamps")
  func text() throws {
    var stamps = Stamps()
    let origin = stamps.origin(of: "m")
    stamps.track(["size"], by: "b")
    stamps.track(["size"], by: "a")
    stamps.set(Stamps.Stamp(time: Self.time(0.1, 3, origin), hash: 0xAB), forKey: "size")
    stamps.track(["two words, é%\n"], by: "a")
    stamps.track(["gone"], by: "a")
    stamps.set(Stamps.Stamp(time: Self.time(-5), hash: 0), forKey: "gone")
    let text = """
      version 1
      origin m \(origin)
      key gone a -5.0 0 0000000000000000 
      key size a,b 0.1 3 00000000000000ab \(origin)
      key two%20words,%20%c3%a9%25%0a a

      """
    #expect(stamps.text == text)
    #expect(Stamps(text) == stamps)
  }

  @Test(
    "Other text is refused",
    arguments: [
      "", "version 1", "version 2\n", "version 1\nkey a\n", "version 1\nkey %f a\n",
      "version 1\nkey %ff a\n",
      "version 1\nkey a b 1 2 3\n", "version 1\nkey a b x 0 0 \n",
      "version 1\nkey a b 1 -1 0 o\n",
      "version 1\nother a b\n", "version 1\nkey a \n", "version 1\n\n",
    ])
  func invalid(text: String) { #expect(Stamps(text) == nil) }

  @Test("A time out of range is none", arguments: ["nan", "inf", "252423993599"])
  func outOfRange(seconds: String) throws {
    let stamps = try #require(Stamps("version 1\nkey a b \(seconds) 0 1 \nkey c b 1 0 1 \n"))
    #expect(stamps.isTracked("a", by: "b"))
    #expect(stamps.stamp(forKey: "a") == nil)
    #expect(stamps.stamp(forKey: "c") == Stamps.Stamp(time: Self.time(1), hash: 1))
  }

  @Test("The last tracker that leaves a key removes its stamp")
  func trackers() {
    var stamps = Stamps()
    stamps.track(["k"], by: "a")
    stamps.track(["k"], by: "b")
    stamps.track(["k"], by: "a")
    stamps.set(Stamps.Stamp(time: Self.time(1), hash: 1), forKey: "k")
    stamps.set(Stamps.Stamp(time: Self.time(1), hash: 1), forKey: "other")
    stamps.untrack("k", by: "a")
    #expect(!stamps.isTracked("k", by: "a"))
    #expect(stamps.isTracked("k", by: "b"))
    #expect(stamps.stamp(forKey: "k")?.hash == 1)
    #expect(stamps.stamp(forKey: "other") == nil)
    #expect(stamps.untimed.stamp(forKey: "k") == nil)
    #expect(stamps.untimed.isTracked("k", by: "b"))
    stamps.untrack("k", by: "b")
    #expect(stamps == Stamps())
  }

  @Test("There is a limit to the keys, and to the machines that have a name")
  func limits() {
    var stamps = Stamps()
    stamps.track((0...Stamps.largestCount).map { "\($0)" }, by: "a")
    #expect(stamps.tracked.count == Stamps.largestCount)
    #expect(!stamps.isTracked("\(Stamps.largestCount)", by: "a"))
    stamps.track(["0"], by: "b")
    #expect(stamps.isTracked("0", by: "b"))
    let first = stamps.origin(of: "0")
    #expect(stamps.origin(of: "0") == first)
    for number in 1...Stamps.originCount { _ = stamps.origin(of: "\(number)") }
    #expect(stamps.origins.map(\.machine) == (1...Stamps.originCount).map(String.init))
    #expect(stamps.origin(of: "0") != first)
  }

  @Test("There is a limit to the size of the text")
  func size() {
    var stamps = Stamps()
    let name = String(repeating: "k", count: 990)
    for part in 0..<2 {
      stamps.track((0..<1000).map { "\(part) \($0) \(name)" }, by: "0123456789abcdef")
      for key in stamps.tracked.keys {
        let time = HybridTime(date: .now, counter: 1, origin: "0123456789abcdef")
        stamps.set(Stamps.Stamp(time: time, hash: 1), forKey: key.text)
      }
    }
    #expect(stamps.tracked.count < 1000)
    #expect((900_000...1_048_576).contains(stamps.text.utf8.count))
  }

  @Test(
    "Equal values have one hash",
    arguments: [
      (["a": 1, "b": 2] as PlistValue, ["b": 2, "a": 1] as PlistValue),
      (.float(0.5), .real(0.5)), (.real(0), .real(-0.0)), (.real(.nan), .float(.nan)),
      (.integer(5), .unsignedInteger(5)),
      (.array([.float(1), ["x": .real(-0.0)]]), .array([.real(1), ["x": .real(0)]])),
    ])
  func equal(left: PlistValue, right: PlistValue) {
    #expect(left == right)
    #expect(ValueHash.of(left) == ValueHash.of(right))
  }

  @Test("Other values have other hashes, which are the same in every process")
  func different() {
    let values: [PlistValue] = [
      1, 2, true, false, "1", "", .data(Data()), .data(Data("1".utf8)), [], [1], [[1]], [1, 1], [:],
      ["1": 1],
      ["1": 2], ["a": 1, "b": 2], ["a": 2, "b": 1], .real(1), .real(2), .integer(-1),
      .unsignedInteger(.max),
      .date(Date(timeIntervalSinceReferenceDate: 1)), .uid(1),
    ]
    #expect(Set(values.map(ValueHash.of)).count == values.count)
    #expect(ValueHash.of("theme") == 18_018_260_376_170_681_762)
  }
}
