import Defaults
import Foundation
import Observation
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Many threads use keys at once", .timeLimit(.minutes(30)))
struct DefaultsThreadTests {
  private static let threads = 16
  private static let rounds = 30

  /// The minimum time that the threads run after a few rounds, in seconds.
  private static let seconds =
    ProcessInfo.processInfo.environment["LARDER_THREAD_SECONDS"].flatMap(Double.init) ?? 0

  private struct Theme: Codable, Equatable, Sendable, Defaults.Serializable {
    var name = "plain"
    var sizes = [1, 2]
  }

  /// The keys that all threads share.
  private struct Shared {
    let file: FileFixture
    let other = PreferencesStore.inMemory()
    let number: Defaults.Key<Int>
    let text: Defaults.Key<String?>
    let theme: Defaults.Key<Theme>
    let far: Defaults.Key<Int>

    init() throws {
      file = try FileFixture()
      number = Defaults.Key("number", default: 0, suite: file.store)
      text = Defaults.Key("text", suite: file.store)
      theme = Defaults.Key("theme", default: Theme(), suite: file.store)
      far = Defaults.Key("far", suite: other) { 7 }
    }
  }

  private final class Owner {}

  @Test("No write, change or notification is lost")
  func everything() async throws {
    let shared = try Shared()
    let last = Lock(Defaults[shared.number])
    let gaps = Lock(0)
    let observation = Defaults.observe(shared.number, options: []) { change in
      last.withLock { last in
        if change.oldValue != last { gaps.withLock { $0 += 1 } }
        last = change.newValue
      }
    }
    let listeners = Self.listen(to: shared)
    let end = ContinuousClock.now + .seconds(Self.seconds)
    let failures = Recorder<String>()
    let threads = (0..<Self.threads).map { number in
      TestThread {
        let own = Defaults.Key<Int>("thread \(number)", default: -1, suite: shared.file.store)
        var round = 0
        while round < Self.rounds || ContinuousClock.now < end {
          Defaults[own] = round
          Self.use(shared, number, round)
          Self.observe(shared, number, round)
          if Defaults[own] != round {
            failures.record("thread \(number) does not see what it sets")
          }
          round += 1
        }
        Defaults.reset(own)
      }
    }
    let limit = Duration.seconds(Self.seconds) + patience
    #expect(await eventually(within: limit) { threads.allSatisfy(\.isFinished) })
    #expect(failures.all == [])
    #expect(await eventually { last.withLock { $0 } == Defaults[shared.number] })
    #expect(gaps.withLock { $0 } == 0)
    for number in 0..<Self.threads {
      #expect(shared.file.store.object(forKey: "thread \(number)") as? Int == -1)
    }
    for listener in listeners { listener.cancel() }
    for listener in listeners { await listener.value }
    observation.invalidate()
  }

  /// Uses keys in all ways except observation.
  private static func use(_ shared: Shared, _ number: Int, _ round: Int) {
    Defaults[shared.number] = number * 1_000_000 + round
    Defaults[shared.text] = round % 3 == 0 ? nil : "\(number)"
    Defaults[shared.theme].sizes = [round]
    Defaults[shared.far] = round
    Default(shared.theme).wrappedValue.name = "\(round)"
    shared.file.store.set(round % 5 == 0 ? "no number" : "\(round)", forKey: "theme")
    _ = Defaults[shared.theme]
    Defaults.withoutPropagation { shared.file.store[shared.text] = "suppressed" }
    switch round % 8 {
    case number % 8: Defaults.reset(shared.text, shared.theme, shared.far)
    case (number + 1) % 8: Defaults.reset("text", "theme", suite: shared.file.store)
    case (number + 2) % 8: Defaults.removeAll(suite: shared.other)
    default: break
    }
    if round % 20 == number { shared.file.store.synchronize() }
  }

  /// Adds and removes observers.
  private static func observe(_ shared: Shared, _ number: Int, _ round: Int) {
    let observations = [
      Defaults.observe(shared.theme) { change in _ = change.newValue == change.oldValue },
      Defaults.observe(keys: shared.text, shared.far, options: [.initial, .prior]) {
        _ = Defaults[shared.far]
      },
      Defaults.observe(shared.text, options: []) { change in
        Defaults.withoutPropagation { Defaults[shared.far] = change.newValue?.count ?? 0 }
      },
    ]
    do {
      let owner = Owner()
      observations[0].tieToLifetime(of: owner)
      Defaults[shared.text] = "tied \(round)"
    }
    if round % 2 == 0 { observations[0].removeLifetimeTie() }
    if round % 3 == 0 { observations[1].invalidate() }
    var subscriptions = Set<AnyCancellable>()
    Defaults.publisher(shared.far).sink { _ in _ = Defaults[shared.text] }
      .store(in: &subscriptions)
    Default(shared.theme).projectedValue.sink { _ = $0.name }.store(in: &subscriptions)
    withObservationTracking {
      _ = Defaults[shared.theme]
      _ = Defaults[shared.far]
    } onChange: {
      _ = Defaults[shared.number]
    }
    let updates = Defaults.updates(shared.text, shared.far, buffering: .newest(2))
    Defaults[shared.far] = -round
    _ = updates.makeAsyncIterator()
  }

  /// Starts tasks that iterate over values until they are canceled.
  private static func listen(to shared: Shared) -> [Task<Void, Never>] {
    let keys: [Defaults._AnyKey] = [shared.number, shared.far]
    return [
      Task { for await theme in Defaults.updates(shared.theme) { _ = theme.name } },
      Task {
        for await (text, far) in Defaults.updates(shared.text, shared.far, buffering: .newest(5)) {
          if far == 3 { Defaults[shared.text] = text.map { $0 + "!" } }
        }
      },
      Task { for await _ in Defaults.updates(keys) { _ = Defaults[shared.far] } },
    ]
  }
}
