internal import Threading

/// Operators on single values.
///
/// Each subscription to the new publisher is one to this publisher, and ends with it. A closure
/// that is isolated to an actor is called on that actor, as those of
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
