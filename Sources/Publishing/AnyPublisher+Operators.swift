internal import Threading

/// Operators. Each subscription to the new publisher is one to this publisher, and ends with it.
extension AnyPublisher {
  // MARK: Single values

  /// Returns a publisher of the results of a closure for each value.
  @preconcurrency
  public func map<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> NewOutput
  ) -> AnyPublisher<NewOutput, Failure> {
    relay { subscriber in
      { subscriber.receiveValue(transform($0)) }
    }
  }

  /// Returns a publisher of the results of a closure for each value, without nil.
  @preconcurrency
  public func compactMap<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> NewOutput?
  ) -> AnyPublisher<NewOutput, Failure> {
    relay { subscriber in
      { transform($0).map(subscriber.receiveValue) }
    }
  }

  /// Returns a publisher of the values for which a closure returns true.
  @preconcurrency
  public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> AnyPublisher {
    relay { subscriber in
      { if isIncluded($0) { subscriber.receiveValue($0) } }
    }
  }

  /// Returns a publisher without the values that a closure considers duplicates of the previous
  /// one.
  @preconcurrency
  public func removeDuplicates(
    by isDuplicate: @escaping @Sendable (_ previous: Output, _ value: Output) -> Bool
  ) -> AnyPublisher {
    relay { subscriber in
      let last = Lock<Output?>(nil)
      return { value in
        let previous = last.withLock { last in
          defer { last = value }
          return last
        }
        if let previous, isDuplicate(previous, value) { return }
        subscriber.receiveValue(value)
      }
    }
  }

  /// Returns a publisher without the values that equal the previous one.
  public func removeDuplicates() -> AnyPublisher where Output: Equatable & SendableMetatype {
    removeDuplicates { $0 == $1 }
  }

  // MARK: Numbers of values

  /// Returns a publisher without the first values. A negative count is 0.
  public func dropFirst(_ count: Int = 1) -> AnyPublisher {
    relay { subscriber in
      let remaining = Lock(count)
      return { value in
        let isDropped = remaining.withLock { remaining in
          guard remaining > 0 else { return false }
          remaining -= 1
          return true
        }
        if !isDropped { subscriber.receiveValue(value) }
      }
    }
  }

  /// Returns a publisher of the first values, which completes with the last of them. A negative
  /// count is 0.
  public func prefix(_ maximum: Int) -> AnyPublisher {
    guard maximum > 0 else { return .finished }
    return relay { subscriber in
      let count = Lock(0)
      return { value in
        let position = count.withLock { count in
          count += 1
          return count
        }
        if position <= maximum { subscriber.receiveValue(value) }
        if position == maximum { subscriber.receiveCompletion(.finished) }
      }
    }
  }

  /// Returns a publisher of the first value, which completes with it.
  public func first() -> AnyPublisher { prefix(1) }

  // MARK: Arrays of values

  /// Returns a publisher of one array of all values, sent when this publisher finishes; nothing is
  /// sent if it fails.
  public func collect() -> AnyPublisher<[Output], Failure> {
    AnyPublisher<[Output], Failure> { subscriber in
      let collected = Lock<[Output]>([])
      return sink { completion in
        if case .finished = completion { subscriber.receiveValue(collected.withLock { $0 }) }
        subscriber.receiveCompletion(completion)
      } receiveValue: { value in
        collected.withLock { $0.append(value) }
      }
    }
  }

  /// Returns a publisher of arrays of a number of values each. The last array has the remaining
  /// values when this publisher finishes; they are dropped if it fails. A count below 1 is 1.
  public func collect(_ count: Int) -> AnyPublisher<[Output], Failure> {
    AnyPublisher<[Output], Failure> { subscriber in
      let collected = Lock<[Output]>([])
      return sink { completion in
        let rest = collected.withLock { $0 }
        if case .finished = completion, !rest.isEmpty { subscriber.receiveValue(rest) }
        subscriber.receiveCompletion(completion)
      } receiveValue: { value in
        let full = collected.withLock { collected -> [Output]? in
          collected.append(value)
          guard collected.count >= count else { return nil }
          defer { collected = [] }
          return collected
        }
        if let full { subscriber.receiveValue(full) }
      }
    }
  }

  // MARK: Implementation

  /// Returns a publisher that handles each value of this one and passes completions on.
  ///
  /// - Parameter makeReceiver: Returns the closure that receives the values of a new subscription.
  private func relay<NewOutput>(
    _ makeReceiver:
      @escaping @Sendable (Subscriber<NewOutput, Failure>) -> @Sendable (Output) -> Void
  ) -> AnyPublisher<NewOutput, Failure> {
    AnyPublisher<NewOutput, Failure> { subscriber in
      sink(
        receiveCompletion: { subscriber.receiveCompletion($0) },
        receiveValue: makeReceiver(subscriber))
    }
  }

  /// A publisher that finishes without values.
  private static var finished: AnyPublisher {
    AnyPublisher { subscriber in
      subscriber.receiveCompletion(.finished)
      return AnyCancellable {}
    }
  }
}
