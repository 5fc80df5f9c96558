import Defaults
import Foundation
import Testing

@testable import DefaultsClientInSwift5

@Suite("A class of the main actor, in the language mode of Swift 5", .timeLimit(.minutes(5)))
struct BarometerInSwift5Tests {
  @Test("Its closures are called on the main actor, whatever thread sets a value")
  @MainActor func barometer() async {
    let barometer = Barometer(named: "hall")
    let key = barometer.key
    await Task.detached { for value in 1...10 { Defaults[key] = value } }.value
    while barometer.readings.count < 10 || barometer.alarms < 6 || barometer.products.count < 11 {
      await Task.yield()
    }
    #expect(barometer.readings == Array(1...10))
    #expect(barometer.alarms == 6)
    #expect(barometer.products == Array(0...10))
    while barometer.pressure != 10 { await Task.yield() }
    barometer.stop()
    Defaults[key] = 0
    #expect(barometer.pressure == 10)
  }
}
