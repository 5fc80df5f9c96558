internal import Threading

/// The latest values of several publishers, as ``Publishers/CombineLatest`` sends them.
extension Publisher {
  /// Returns a publisher of the latest values of this and another one.
  public func combineLatest<A: Publisher>(_ a: A) -> AnyPublisher<(Output, A.Output), Failure>
  where A.Failure == Failure {
    Publishers.CombineLatest(self, a).eraseToAnyPublisher()
  }

  /// Returns a publisher of what a closure makes of the latest values of this and another one.
  @preconcurrency
  public func combineLatest<A: Publisher, NewOutput>(
    _ a: A,
    @_inheritActorContext
    _ transform: @escaping @isolated(any) @Sendable (Output, A.Output) -> NewOutput
  ) -> AnyPublisher<NewOutput, Failure> where A.Failure == Failure {
    let (isolation, transform) = (Isolation(transform.isolation), Isolation.erase(transform))
    return combineLatest(a).relay(on: isolation) { subscriber in
      { subscriber.receive(transform($0.0, $0.1)) }
    }
  }

  /// Returns a publisher of the latest values of this and two others.
  public func combineLatest<A: Publisher, B: Publisher>(_ a: A, _ b: B) -> AnyPublisher<
    (Output, A.Output, B.Output), Failure
  > where A.Failure == Failure, B.Failure == Failure {
    Publishers.CombineLatest3(self, a, b).eraseToAnyPublisher()
  }

  /// Returns a publisher of what a closure makes of the latest values of this and two others.
  @preconcurrency
  public func combineLatest<A: Publisher, B: Publisher, NewOutput>(
    _ a: A, _ b: B,
    @_inheritActorContext
    _ transform: @escaping @isolated(any) @Sendable (Output, A.Output, B.Output) -> NewOutput
  ) -> AnyPublisher<NewOutput, Failure> where A.Failure == Failure, B.Failure == Failure {
    let (isolation, transform) = (Isolation(transform.isolation), Isolation.erase(transform))
    return combineLatest(a, b).relay(on: isolation) { subscriber in
      { subscriber.receive(transform($0.0, $0.1, $0.2)) }
    }
  }

  /// Returns a publisher of the latest values of this and three others.
  public func combineLatest<A: Publisher, B: Publisher, C: Publisher>(_ a: A, _ b: B, _ c: C)
    -> AnyPublisher<(Output, A.Output, B.Output, C.Output), Failure>
  where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure {
    Publishers.CombineLatest4(self, a, b, c).eraseToAnyPublisher()
  }

  /// Returns a publisher of what a closure makes of the latest values of this and three others.
  @preconcurrency
  public func combineLatest<A: Publisher, B: Publisher, C: Publisher, NewOutput>(
    _ a: A, _ b: B, _ c: C,
    @_inheritActorContext
    _ transform:
      @escaping @isolated(any) @Sendable (Output, A.Output, B.Output, C.Output) -> NewOutput
  ) -> AnyPublisher<NewOutput, Failure>
  where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure {
    let (isolation, transform) = (Isolation(transform.isolation), Isolation.erase(transform))
    return combineLatest(a, b, c).relay(on: isolation) { subscriber in
      { subscriber.receive(transform($0.0, $0.1, $0.2, $0.3)) }
    }
  }
}
