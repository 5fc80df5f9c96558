internal import FoundationEssentials
internal import Threading

/// A request that was sent and its answer, which one task receives piece by piece.
///
/// Data that the task has not taken is kept, up to ``largestBuffer``; then the sender pauses.
final class HTTPExchange: Sendable {
  /// The number of bytes beyond which the sender pauses.
  static let largestBuffer = 256 << 10

  private struct State {
    var status: Int?
    var head: (date: Date?, isMultiplexed: Bool) = (nil, false)
    var buffer = Data()
    var byteCount = 0
    var isPaused = false
    /// How the response ended; nil while it is being received.
    var end: Result<Void, HTTPFailure>?
    var receiver: CheckedContinuation<Data?, any Error>?
    /// Resumes the sender after a pause.
    var resume: (@Sendable () -> Void)?
    /// Stops the sender.
    var stop: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  /// The status of the answer; nil before its first bytes.
  var status: Int? { state.withLock { $0.status } }

  /// The number of bytes of the answer so far, while the receiver waits for more; nil while it is busy.
  var awaitedCount: Int? { state.withLock { $0.receiver == nil ? nil : $0.byteCount } }

  /// The server's time at the beginning of the response; nil if it has none.
  var date: Date? { state.withLock { $0.head.date } }

  /// Whether the answer comes over HTTP/2 or later.
  var isMultiplexed: Bool { state.withLock { $0.head.isMultiplexed } }

  // MARK: The receiver

  /// Waits for the next piece of the answer; nil at its end.
  ///
  /// - Throws: ``HTTPFailure`` if the answer is incomplete, `CancellationError` if the task is
  ///   canceled, which ends the request.
  func next() async throws -> Data? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        var resume: (@Sendable () -> Void)?
        let result = state.withLock { state -> Result<Data?, any Error>? in
          if !state.buffer.isEmpty {
            if state.isPaused { resume = state.resume }
            state.isPaused = false
            defer { state.buffer = Data() }
            return .success(state.buffer)
          }
          if let end = state.end { return Self.result(of: end) }
          state.receiver = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
        resume?()
      }
    } onCancel: {
      cancel()
    }
  }

  private static func result(of end: Result<Void, HTTPFailure>) -> Result<Data?, any Error> {
    switch end {
    case .success: .success(nil)
    case .failure(.cancelled): .failure(CancellationError())
    case .failure(let failure): .failure(failure)
    }
  }

  /// Ends the request. The receiver resumes at once.
  func cancel() { fail(.cancelled) }

  /// Ends the request with a failure, as if the sender had failed.
  func fail(_ failure: HTTPFailure) {
    var stop: (@Sendable () -> Void)?
    end(.failure(failure)) { state in
      // Bytes received before and after this belong together.
      state.buffer = Data()
      stop = exchange(&state.stop, with: nil)
    }
    stop?()
  }

  // MARK: The sender

  /// Sets the closures that resume and stop the sender.
  func setSender(resume: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.resume = resume
      state.stop = stop
    }
  }

  /// Records the time by the clock of the server, and the version of HTTP.
  func begin(at date: Date?, isMultiplexed: Bool) {
    state.withLock { $0.head = (date, isMultiplexed) }
  }

  /// Passes bytes to the receiver.
  ///
  /// - Returns: False if the sender must pause, and pass the same bytes again afterwards.
  func receive(_ bytes: UnsafeRawBufferPointer, status: Int) -> Bool {
    var receiver: CheckedContinuation<Data?, any Error>?
    let isReceived = state.withLock { state in
      if state.end != nil { return true }
      if state.buffer.count >= Self.largestBuffer {
        state.isPaused = true
        return false
      }
      state.status = status
      state.byteCount += bytes.count
      if state.receiver != nil {
        receiver = exchange(&state.receiver, with: nil)
      } else {
        state.buffer.append(contentsOf: bytes)
      }
      return true
    }
    if let receiver { Self.resume(receiver, with: .success(Data(bytes))) }
    return isReceived
  }

  /// Ends the answer, unless it has ended.
  func end(_ end: Result<Void, HTTPFailure>, status: Int? = nil) {
    self.end(end) { $0.status = status ?? $0.status }
  }

  private func end(_ end: Result<Void, HTTPFailure>, _ body: (inout State) -> Void) {
    let receiver = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
      if state.end != nil { return nil }
      state.end = end
      state.resume = nil
      body(&state)
      return exchange(&state.receiver, with: nil)
    }
    if let receiver { Self.resume(receiver, with: Self.result(of: end)) }
  }

  /// Resumes the receiver. A fork does not wait for this: the runtime may wait for a thread that
  /// cancels the task, and that thread may wait for the fork.
  private static func resume(
    _ receiver: CheckedContinuation<Data?, any Error>, with result: Result<Data?, any Error>
  ) {
    ForkGate.shared.allowingForks { receiver.resume(with: result) }
  }
}
