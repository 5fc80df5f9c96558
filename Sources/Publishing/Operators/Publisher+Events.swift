internal import Threading

/// Operators that show what happens.
extension Publisher {
  /// Returns a publisher of the same values that calls closures as things happen.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called when a subscription has started, with what cancels it.
  ///   - receiveOutput: Called before each value is delivered.
  ///   - receiveCompletion: Called before a completion is delivered.
  ///   - receiveCancel: Called when a subscription is canceled before it has completed.
  @preconcurrency
  public func handleEvents(
    @_inheritActorContext
    receiveSubscription: (@isolated(any) @Sendable (any Cancellable) -> Void)? = nil,
    @_inheritActorContext
    receiveOutput: (@isolated(any) @Sendable (Output) -> Void)? = nil,
    @_inheritActorContext
    receiveCompletion: (@isolated(any) @Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
    @_inheritActorContext
    receiveCancel: (@isolated(any) @Sendable () -> Void)? = nil
  ) -> AnyPublisher<Output, Failure> {
    let isolation = Isolation(receiveOutput?.isolation).or(Isolation(receiveCompletion?.isolation))
      .or(Isolation(receiveSubscription?.isolation)).or(Isolation(receiveCancel?.isolation))
    let start = receiveSubscription.map { Isolation.erase($0) }
    let output = receiveOutput.map { Isolation.erase($0) }
    let complete = receiveCompletion.map { Isolation.erase($0) }
    let cancel = receiveCancel.map { Isolation.erase($0) }
    return AnyPublisher { subscriber in
      let hasCompleted = Lock(false)
      let token = subscribe(in: .isolation(isolation)) { completion in
        hasCompleted.withLock { $0 = true }
        complete?(completion)
        subscriber.receive(completion: completion)
      } receiveValue: { value in
        output?(value)
        subscriber.receive(value)
      }
      if let start { isolation.run { start(token) } }
      return AnyCancellable {
        token.cancel()
        if let cancel, !hasCompleted.withLock({ $0 }) { isolation.run(cancel) }
      }
    }
  }

  /// Returns a publisher of the same values that prints a line for each thing that happens.
  ///
  /// - Parameters:
  ///   - prefix: What begins each line.
  ///   - stream: Where the lines are written; the standard output if nil.
  public func print(
    _ prefix: String = "", to stream: (any TextOutputStream)? = nil
  ) -> AnyPublisher<Output, Failure> {
    let lines = LineWriter(prefix: prefix, stream: stream)
    let name = String(describing: Self.self)
    return handleEvents(
      receiveSubscription: { _ in lines.write("receive subscription: (\(name))") },
      receiveOutput: { value in lines.write("receive value: (\(value))") },
      receiveCompletion: { completion in
        switch completion {
        case .finished: lines.write("receive finished")
        case .failure(let error): lines.write("receive error: (\(error))")
        }
      }, receiveCancel: { lines.write("receive cancel") })
  }
}

/// Writes lines to a stream or to the standard output, one at a time.
private final class LineWriter: Sendable {
  private let handler: SerialHandler<String>

  init(prefix: String, stream: (any TextOutputStream)?) {
    // Used in one call of the handler at a time.
    nonisolated(unsafe) var stream = stream
    handler = SerialHandler { line in
      let line = prefix.isEmpty ? line : "\(prefix): \(line)"
      if stream == nil { Swift.print(line) } else { stream?.write(line + "\n") }
    }
  }

  func write(_ line: String) {
    handler.send(line)
  }
}
