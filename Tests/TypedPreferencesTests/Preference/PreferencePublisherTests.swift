import Dispatch
import Preferences
import Testing
import Threading

@testable import TypedPreferences

@Suite("A typed preference is published", .timeLimit(.minutes(5)))
struct PreferencePublisherTests {
  private let preference = TypedPreference(
    "k", in: .inMemory(), coder: Int.plistCoder
  ) { 0 }

  @Test("receive(on:) delivers values on a queue, in their order, and none after canceling")
  func queue() {
    let queue = DispatchQueue(label: "test")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let taken = Lock<[Int]>([])
    let subscription = preference.publisher().receive(on: queue).sink { value in
      if DispatchQueue.getSpecific(key: key) == true { taken.withLock { $0.append(value) } }
    }
    for number in 1...100 { preference.set(number) }
    queue.sync {}
    #expect(taken.withLock { $0 } == Array(0...100))
    queue.suspend()
    preference.set(101)
    subscription.cancel()
    queue.resume()
    queue.sync {}
    #expect(taken.withLock { $0.last } == 100)
  }

  @Test("A value that is set while another one is received follows it")
  func nested() async {
    var received: [Int] = []
    for await value in preference.publisher().values {
      received.append(value)
      if value == 3 { break }
      preference.set(value + 1)
    }
    #expect(received == [0, 1, 2, 3])
  }
}
