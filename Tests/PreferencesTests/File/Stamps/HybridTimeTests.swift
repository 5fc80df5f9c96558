import Foundation
import Testing

@testable import Preferences

@Suite("A hybrid time is later than what it replaces, and as late as the clock")
struct HybridTimeTests {
  private static func date(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  @Test("Dates decide, then counters, then the bytes of origins")
  func order() {
    let ordered = [
      HybridTime(date: Self.date(0), counter: 5, origin: "z"),
      HybridTime(date: Self.date(1), counter: 0, origin: "z"),
      HybridTime(date: Self.date(1), counter: 1, origin: ""),
      HybridTime(date: Self.date(1), counter: 1, origin: "Z"),
      HybridTime(date: Self.date(1), counter: 1, origin: "a"),
      HybridTime(date: Self.date(1.000_001), counter: 0, origin: ""),
    ]
    for (left, first) in ordered.enumerated() {
      for (right, second) in ordered.enumerated() {
        #expect((first < second) == (left < right))
        #expect((first == second) == (left == right))
      }
    }
  }

  @Test(
    "A change after another one is later, whatever the clock says",
    arguments: [-1e9, 0, 8e8, 1e11, 252_423_993_597],
    [-252_423_993_599, -1e9, -1, 0, 1, .nan])
  func next(seconds: Double, skew: Double) {
    for counter in [0, 7, UInt32.max] {
      let known = HybridTime(date: Self.date(seconds), counter: counter, origin: "z")
      let now = Self.date(seconds + skew)
      let next = HybridTime.next(after: known, at: now, by: "a")
      #expect(next > known)
      #expect(!(next.date < now))
      #expect(next.isInRange)
      if skew > 0 { #expect(next == HybridTime(date: now, origin: "a")) }
    }
  }

  @Test("A clock that is behind advances the counter and leaves the date")
  func counter() {
    let known = HybridTime(date: Self.date(1000), counter: 3, origin: "far")
    #expect(
      HybridTime.next(after: known, at: Self.date(10), by: "here")
        == HybridTime(date: Self.date(1000), counter: 4, origin: "here"))
  }

  @Test(
    "The last second of the year 9999 is out of range",
    arguments: [252_423_993_599, -252_423_993_599, .infinity, .nan])
  func range(seconds: Double) {
    #expect(!HybridTime(date: Self.date(seconds)).isInRange)
    let nearer = seconds.magnitude.nextDown
    #expect(HybridTime(date: Self.date(nearer), counter: .max).isInRange == (nearer < 1e12))
  }

  @Test("A first change has the time of the clock")
  func first() {
    #expect(
      HybridTime.next(after: nil, at: Self.date(10), by: "here")
        == HybridTime(date: Self.date(10), origin: "here"))
  }
}
