import Defaults
import Testing

@testable import DefaultsClient

@Suite("A class of the main actor, in the language mode of Swift 6", .timeLimit(.minutes(5)))
struct BarometerTests {
  @Test("Its closures are called on the main actor, whatever thread sets a value")
  @MainActor func barometer() async {
    let barometer = Barometer(named: "roof")
    let key = barometer.key
    await Task.detached { for value in 1...10 { Defaults[key] = value } }.value
    while barometer.readings.count < 10 || barometer.alarms < 6 || barometer.products.count < 11 {
      await Task.yield()
    }
    #expect(barometer.readings == Array(1...10))
    #expect(barometer.alarms == 6)
    #expect(barometer.products == Array(0...10))
    barometer.stop()
  }

  @Test("Publishers can be passed on by what they send")
  func publishers() async {
    var values: [Int] = []
    for await value in twice(Just(2)).values { values.append(value) }
    #expect(values == [4])
  }
}
