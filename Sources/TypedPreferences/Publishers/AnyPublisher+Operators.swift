internal import Threading

/// Publishers made of others. Each subscription to one is one to the other, and ends with it.
extension AnyPublisher {
  // MARK: One value at a time

  /// What a closure makes of each value.
  @preconcurrency
  public func map<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> NewOutput
  ) -> AnyPublisher<NewOutput, Failure> {
    relay { subscriber in
      { subscriber.receiveValue(transform($0)) }
    }
  }

  /// What a closure makes of each value, but for nil.
  @preconcurrency
  public func compactMap<NewOutput>(
    _ transform: @escaping @Sendable (Output) -> NewOutput?
  ) -> AnyPublisher<NewOutput, Failure> {
    relay { subscriber in
      { transform($0).map(subscriber.receiveValue) }
    }
  }

  /// The values that a closure finds fit.
  @preconcurrency
  public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool) -> AnyPublisher {
    relay { subscriber in
      { if isIncluded($0) { subscriber.receiveValue($0) } }
    }
  }

  /// The values that differ from the one before, as a closure sees it.
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

  /// The values that differ from the one before.
  public func removeDuplicates() -> AnyPublisher where Output: Equatable & SendableMetatype {
    removeDuplicates { $0 == $1 }
  }

  // MARK: Some of the values

  /// All values but the first ones. A negative count is none.
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

  /// The first values, with the last of which it is complete. A negative count is none.
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

  /// The first value, with which it is complete.
  public func first() -> AnyPublisher { prefix(1) }

  // MARK: Several values at a time

  /// All values in one array, when there are no more of them; nothing if there is an error.
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

  /// Arrays of a number of values, and of those that are left when there are no more of them; these are
  /// lost if there is an error. A count below 1 is 1.
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

  // MARK: How they are made

  /// A publisher whose subscriptions do something with each value of this one.
  ///
  /// - Parameter begin: What a new subscription does with a value.
  private func relay<NewOutput>(
    _ begin: @escaping @Sendable (Subscriber<NewOutput, Failure>) -> @Sendable (Output) -> Void
  ) -> AnyPublisher<NewOutput, Failure> {
    AnyPublisher<NewOutput, Failure> { subscriber in
      sink(
        receiveCompletion: { subscriber.receiveCompletion($0) }, receiveValue: begin(subscriber))
    }
  }

  /// No values.
  private static var finished: AnyPublisher {
    AnyPublisher { subscriber in
      subscriber.receiveCompletion(.finished)
      return AnyCancellable {}
    }
  }
}
