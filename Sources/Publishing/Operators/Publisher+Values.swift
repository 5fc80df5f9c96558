internal import Threading

/// Operators on single values. Each subscription to the new publisher is one to this publisher, and
/// ends with it. A closure that is isolated to an actor is called on that actor, as those of
/// ``sink(receiveCompletion:receiveValue:)`` are, and what follows it is delivered from there.
extension Publisher {
  /// Returns a publisher of the results of a closure for each value.
  @preconcurrency
  public func map<NewOutput>(
    @_inheritActorContext
    _ transform: @escaping @isolated(any) @Sendable (Output) -> NewOutput
  ) -> AnyPublisher<NewOutput, Failure> {
    let (isolation, transform) = (Isolation(transform.isolation), Isolation.erase(transform))
    return relay(on: isolation) { subscriber in
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
    return relay(on: isolation) { subscriber in
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
    return relay(on: isolation) { subscriber in
      { if isIncluded($0) { subscriber.receive($0) } }
    }
  }

  /// Returns a publisher without the values that a closure considers duplicates of the previous
  /// one.
  @preconcurrency
  public func removeDuplicates(
    @_inheritActorContext
    by isDuplicate: @escaping @isolated(any) @Sendable (_ previous: Output, _ value: Output) -> Bool
  ) -> AnyPublisher<Output, Failure> {
    let (isolation, isDuplicate) = (Isolation(isDuplicate.isolation), Isolation.erase(isDuplicate))
    return relay(on: isolation) { subscriber in
      let last = Lock<Output?>(nil)
      return { value in
        let previous = last.withLock { last in
          defer { last = value }
          return last
        }
        if let previous, isDuplicate(previous, value) { return }
        subscriber.receive(value)
      }
    }
  }

  /// Returns a publisher without the values that equal the previous one.
  public func removeDuplicates() -> AnyPublisher<Output, Failure>
  where Output: Equatable & SendableMetatype {
    removeDuplicates { $0 == $1 }
  }
}

/// Operators on the values at the beginning and the end, and on their number.
extension Publisher {
  /// Returns a publisher without the first values. A negative count is 0.
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

  /// Returns a publisher of the first values, which completes with the last of them. A negative
  /// count is 0.
  public func prefix(_ maximum: Int) -> AnyPublisher<Output, Failure> {
    guard maximum > 0 else { return Empty().eraseToAnyPublisher() }
    return relay { subscriber in
      let count = Lock(0)
      return { value in
        let position = count.withLock { count in
          count += 1
          return count
        }
        if position <= maximum { subscriber.receive(value) }
        if position == maximum { subscriber.receive(completion: .finished) }
      }
    }
  }

  /// Returns a publisher of the first value, which completes with it.
  public func first() -> AnyPublisher<Output, Failure> { prefix(1) }

  /// Returns a publisher of the first value for which a closure returns true, which completes with
  /// it.
  @preconcurrency
  public func first(
    @_inheritActorContext
    where predicate: @escaping @isolated(any) @Sendable (Output) -> Bool
  ) -> AnyPublisher<Output, Failure> {
    filter(predicate).first()
  }

  /// Returns a publisher of one array of all values, sent when this publisher finishes; nothing is
  /// sent if it fails.
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
  /// values when this publisher finishes; they are dropped if it fails. A count below 1 is 1.
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
