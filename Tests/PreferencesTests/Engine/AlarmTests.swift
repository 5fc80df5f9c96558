import Testing

@testable import Preferences

@Suite("The times at which objects are woken")
struct AlarmTests {
  private final class Clock: Alarm {
    func ring() {}
  }

  /// Times that expectations can change.
  private final class Times {
    private var alarms = Alarms()

    var isEmpty: Bool { alarms.isEmpty }
    var timeCount: Int { alarms.timeCount }
    var keptCount: Int { alarms.all.reduce(0) { count, _ in count + 1 } }
    func set(_ alarm: Clock, at time: Moment) { alarms.set(alarm, at: time) }
    func remove(_ alarm: Clock) -> (any Alarm)? { alarms.remove(alarm) }
    func first() -> Moment? { alarms.first() }
    func takeDue(at now: Moment) -> [any Alarm] { alarms.takeDue(at: now) }
  }

  private func time(_ seconds: Int) -> Moment { Moment(nanoseconds: 0) + .seconds(seconds) }

  private func numbers(_ due: [any Alarm], _ clocks: [Clock]) -> [Int] {
    due.compactMap { alarm in clocks.firstIndex { $0 === alarm } }
  }

  @Test("come in order, and each once")
  func order() {
    let alarms = Times()
    let clocks = (0..<200).map { _ in Clock() }
    for (number, clock) in clocks.enumerated().shuffled() { alarms.set(clock, at: time(number)) }
    #expect(alarms.first() == time(0))
    #expect(numbers(alarms.takeDue(at: time(99)), clocks) == Array(0..<100))
    #expect(alarms.takeDue(at: time(99)).isEmpty)
    #expect(alarms.first() == time(100))
    #expect(numbers(alarms.takeDue(at: time(500)), clocks) == Array(100..<200))
    #expect(alarms.first() == nil)
    // They are kept until they are removed.
    #expect(alarms.keptCount == 200)
  }

  @Test("are replaced by earlier and later ones, and end when the object is removed")
  func replacement() {
    let alarms = Times()
    let clocks = (0..<3).map { _ in Clock() }
    for clock in clocks { alarms.set(clock, at: time(10)) }
    alarms.set(clocks[0], at: time(5))
    alarms.set(clocks[1], at: time(20))
    #expect(alarms.remove(clocks[2]) === clocks[2])
    #expect(alarms.remove(clocks[2]) == nil)
    #expect(numbers(alarms.takeDue(at: time(10)), clocks) == [0])
    #expect(alarms.first() == time(20))
    alarms.set(clocks[0], at: time(30))
    #expect(numbers(alarms.takeDue(at: time(30)), clocks) == [1, 0])
    _ = alarms.remove(clocks[0])
    _ = alarms.remove(clocks[1])
    #expect(alarms.isEmpty)
  }

  @Test("take no memory for times that were replaced")
  func staleTimes() {
    let alarms = Times()
    let (busy, calm) = (Clock(), Clock())
    alarms.set(calm, at: time(1_000_000))
    for round in 0..<100_000 { alarms.set(busy, at: time(round)) }
    #expect(alarms.timeCount < 200)
    #expect(alarms.takeDue(at: time(99_998)).isEmpty)
    #expect(alarms.first() == time(99_999))
  }
}
