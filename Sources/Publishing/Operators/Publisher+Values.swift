internal import Threading

/// Operators on single values. Each subscription to the new publisher subscribes to this one, and
/// ends with it. As in ``sink(receiveCompletion:receiveValue:)``, a closure that is isolated to an
/// actor is called on that actor, and its results are delivered from there.
extension Publisher {
  /// Returns a publisher of the results of a closure for each value.
  @preconcurrency
  public func map<NewOutput>(
    @_inheritActorContext
    _ transform: @escaping @isolated(any) @Sendable (Output) -> NewOutput
  ) -> AnyPublisher<NewOutput, Failure> {
    let (isolation, transform) = (Isolation(transform.isolation), Isolation.erase(transform))
    return relay(in: .isolation(isolation)) { subscriber in
      { subscriber.receive(transform($0)) }
    }
  }

  /// Returns a publisher of the results of a closure for each value, without nil.
  @preconcurrency
  public func compactMap<NewOutput>(
    @_inheritActorContext
    _ transform: @escaping @isolated(any) @Sendable (Output) -> NewOutput?
  ) -> AnyPublisher<NewOutput, Failure> {
    let (isolation, transform) = (Isolation(transform.isolation), Isolation.erase(transform))
    return relay(in: .isolation(isolation)) { subscriber in
      { if let value = transform($0) { subscriber.receive(value) } }
    }
  }

  /// Returns a publisher of the values for which a closure returns true.
  @preconcurrency
  public func filter(
    @_inheritActorContext
    _ isIncluded: @escaping @isolated(any) @Sendable (Output) -> Bool
  ) -> AnyPublisher<Output, Failure> {
    let (isolation, isIncluded) = (Isolation(isIncluded.isolation), Isolation.erase(isIncluded))
    return relay(in: .isolation(isolation)) { subscriber in
      { if isIncluded($0) { subscriber.receive($0) } }
    }
  }

  /// Returns a publisher without the values that equal the previous one.
  public func removeDuplicates() -> AnyPublisher<Output, Failure>
  where Output: Equatable & SendableMetatype {
    relay { subscriber in
      let last = Lock<Output?>(nil)
      return { value in
        let previous = last.withLock { exchange(&$0, with: value) }
        if let previous, previous == value { return }
        subscriber.receive(value)
      }
    }
  }
}

/// Operators on the values at the beginning and the end, and on their number.
extension Publisher {
  /// Returns a publisher without the first values. A negative count is treated as 0.
  public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
    relay { subscriber in
      let remaining = Lock(count)
      return { value in
        let isDropped = remaining.withLock { remaining in
          guard remaining > 0 else { return false }
          remaining -= 1
          return true
        }
        if !isDropped { subscriber.receive(value) }
      }
    }
  }

  /// Returns a publisher of the first value, which completes with it.
  public func first() -> AnyPublisher<Output, Failure> {
    relay { subscriber in
      let isFirst = Lock(true)
      return { value in
        guard isFirst.withLock({ exchange(&$0, with: false) }) else { return }
        subscriber.receive(value)
        subscriber.receive(completion: .finished)
      }
    }
  }

  /// Returns a publisher of the first value for which a closure returns true, which completes with
  /// it.
  @preconcurrency
  public func first(
    @_inheritActorContext
    where predicate: @escaping @isolated(any) @Sendable (Output) -> Bool
  ) -> AnyPublisher<Output, Failure> {
    filter(predicate).first()
  }

  /// Returns a publisher of one array of all values, which is sent when this publisher finishes,
  /// but not if it fails.
  public func collect() -> AnyPublisher<[Output], Failure> {
    AnyPublisher { subscriber in
      let collected = Lock<[Output]>([])
      return subscribe { completion in
        if case .finished = completion { subscriber.receive(collected.withLock { $0 }) }
        subscriber.receive(completion: completion)
      } receiveValue: { value in
        collected.withLock { $0.append(value) }
      }
    }
  }

  /// Returns a publisher of arrays of a number of values each. The last array has the remaining
  /// values when this publisher finishes; they are dropped if it fails. A count below 1 is treated
  /// as 1.
  public func collect(_ count: Int) -> AnyPublisher<[Output], Failure> {
    AnyPublisher { subscriber in
      let collected = Lock<[Output]>([])
      return subscribe { completion in
        let rest = collected.withLock { $0 }
        if case .finished = completion, !rest.isEmpty { subscriber.receive(rest) }
        subscriber.receive(completion: completion)
      } receiveValue: { value in
        let full = collected.withLock { collected -> [Output]? in
          collected.append(value)
          guard collected.count >= count else { return nil }
          return exchange(&collected, with: [])
        }
        if let full { subscriber.receive(full) }
      }
    }
  }
}
