internal import Dispatch
public import Glibc

/// Signals that tell a program to end, from now on taken by the program instead of ending it.
///
/// This works whatever threads exist already, as they do in an asynchronous `main`, where a signal
/// that is only blocked in one thread still ends the process.
///
/// ```swift
/// let signals = TerminationSignals()
/// // … serve …
/// await signals.next()
/// try await PreferencesStore.flushAll(timeout: .seconds(10))
/// ```
///
/// A signal that comes before it is waited for counts. When the object is released, the signals are
/// ignored.
public final class TerminationSignals: @unchecked Sendable {
  // Sendable because all properties are constant, and sources may be used on any thread.

  private let sources: [any DispatchSourceSignal]
  private let stream: AsyncStream<Int32>
  private let arrival = DispatchSemaphore(value: 0)

  /// Takes signals.
  public init(_ signals: [Int32] = [SIGTERM, SIGINT]) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    self.stream = stream
    sources = signals.map { number in
      // The source sees the signal in spite of this, which keeps it from ending the process.
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number)
    }
    for (number, source) in zip(signals, sources) {
      source.setEventHandler { [arrival] in
        continuation.yield(number)
        arrival.signal()
      }
      source.resume()
    }
  }

  deinit { for source in sources { source.cancel() } }

  /// Waits for a signal and blocks the calling thread, in a program without an asynchronous `main`.
  @available(*, noasync, message: "await next() instead")
  public func wait() { arrival.wait() }

  /// Waits for a signal.
  ///
  /// - Returns: Its number; nil if the task is canceled.
  @discardableResult
  public func next() async -> Int32? {
    for await number in stream { return number }
    return nil
  }
}

extension PreferencesStore {
  /// Waits until the task is canceled, and then saves the changes of all stores, as a service of
  /// `ServiceLifecycle` or a child task beside a server.
  ///
  /// ```swift
  /// try await withThrowingTaskGroup { group in
  ///   group.addTask { try await PreferencesStore.flushWhenCanceled() }
  ///   group.addTask { await signals.next() }
  ///   try await group.next()
  ///   group.cancelAll()
  /// }
  /// ```
  ///
  /// - Parameter timeout: As for ``flushAll(timeout:)-2aydh``.
  /// - Throws: Why a domain was not saved.
  public static func flushWhenCanceled(timeout: Duration? = nil) async throws {
    let (stream, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    // A canceled task cannot wait for anything itself.
    try await Task.detached { try await flushAll(timeout: timeout) }.value
  }
}
