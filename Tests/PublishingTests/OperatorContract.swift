import Dispatch
import Publishing
import Testing

/// An operator and what it makes of the numbers from 1 to 4.
struct OperatorContract: Sendable, CustomTestStringConvertible {
  typealias Numbers = AnyPublisher<Int, Failure>

  var name: String
  /// What is received of the numbers.
  var values = [1, 2, 3, 4]
  /// What is received of the numbers 1 and 2 and a failure.
  var valuesBeforeFailure = [1, 2]
  /// Whether all values are passed on when other threads send them at the same time, and no others.
  var isIdentity = true
  /// Applies the operator. Its intervals are shorter than a second.
  var apply: @Sendable (Numbers, any Scheduler<DispatchQueue.SchedulerTimeType>) -> Numbers

  var testDescription: String { name }

  static let all = [
    OperatorContract(name: "eraseToAnyPublisher") { numbers, _ in numbers.eraseToAnyPublisher() },
    OperatorContract(
      name: "map", values: [10, 20, 30, 40], valuesBeforeFailure: [10, 20], isIdentity: false
    ) { numbers, _ in
      numbers.map { $0 * 10 }
    },
    OperatorContract(
      name: "compactMap", values: [2, 4], valuesBeforeFailure: [2], isIdentity: false
    ) { numbers, _ in
      numbers.compactMap { $0 % 2 == 0 ? $0 : nil }
    },
    OperatorContract(name: "filter", values: [2, 4], valuesBeforeFailure: [2], isIdentity: false) {
      numbers, _ in
      numbers.filter { $0 % 2 == 0 }
    },
    OperatorContract(name: "removeDuplicates") { numbers, _ in numbers.removeDuplicates() },
    OperatorContract(
      name: "dropFirst", values: [2, 3, 4], valuesBeforeFailure: [2], isIdentity: false
    ) { numbers, _ in
      numbers.dropFirst()
    },
    OperatorContract(
      name: "first(where:)", values: [3], valuesBeforeFailure: [], isIdentity: false
    ) { numbers, _ in numbers.first { $0 == 3 } },
    OperatorContract(
      name: "collect", values: [10], valuesBeforeFailure: [], isIdentity: false
    ) { numbers, _ in numbers.collect().map { $0.reduce(0, +) } },
    OperatorContract(
      name: "collect(_:)", values: [6, 4], valuesBeforeFailure: [], isIdentity: false
    ) { numbers, _ in numbers.collect(3).map { $0.reduce(0, +) } },
    OperatorContract(name: "merge") { numbers, _ in
      numbers.merge(with: of(), of())
    },
    OperatorContract(name: "merge, the other one") { numbers, _ in
      of().merge(with: numbers)
    },
    OperatorContract(
      name: "CombineLatest", values: [11, 12, 13, 14], valuesBeforeFailure: [11, 12],
      isIdentity: false
    ) {
      numbers, _ in Publishers.CombineLatest(numbers, of(10)).map { $0 + $1 }
    },
    OperatorContract(name: "CombineLatest, the last one") { numbers, _ in
      Publishers.CombineLatest(of(0), numbers).map { $0 + $1 }
    },
    OperatorContract(name: "receive(on:)") { numbers, scheduler in
      receive(numbers, on: scheduler)
    },
    OperatorContract(name: "debounce", isIdentity: false) { numbers, scheduler in
      debounce(numbers, scheduler)
    },
    OperatorContract(name: "throttle", isIdentity: false) { numbers, scheduler in
      throttle(numbers, scheduler)
    },
  ]

  /// A publisher that sends numbers and finishes.
  static func of(_ numbers: Int...) -> Numbers {
    AnyPublisher { subscriber in
      for number in numbers { subscriber.receive(number) }
      subscriber.receive(completion: .finished)
      return AnyCancellable {}
    }
  }

  // Schedulers are passed on as values of a generic type.

  private static func receive(
    _ numbers: Numbers, on scheduler: some Scheduler<DispatchQueue.SchedulerTimeType>
  ) -> Numbers { numbers.receive(on: scheduler) }

  private static func debounce(
    _ numbers: Numbers, _ scheduler: some Scheduler<DispatchQueue.SchedulerTimeType>
  ) -> Numbers { numbers.debounce(for: .milliseconds(1), scheduler: scheduler) }

  private static func throttle(
    _ numbers: Numbers, _ scheduler: some Scheduler<DispatchQueue.SchedulerTimeType>
  ) -> Numbers { numbers.throttle(for: .milliseconds(1), scheduler: scheduler, latest: true) }
}
