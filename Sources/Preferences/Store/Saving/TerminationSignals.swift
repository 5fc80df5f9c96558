public import Glibc
internal import Synchronization
internal import Threading

/// Receives signals that would otherwise end the program.
///
/// This works even if there are already other threads, as in an asynchronous `main`, where a signal
/// that is blocked in only one thread still ends the process.
///
/// ```swift
/// let signals = TerminationSignals()
/// // … serve …
/// await signals.next()
/// try await PreferencesStore.flushAll(timeout: .seconds(10))
/// ```
///
/// A signal that arrives before the program waits for it is not lost. When the object is released,
/// the signals are ignored. A forked child is ended by them as usual, unless it takes them itself.
/// On other programs that the process starts, they have their usual effect.
public final class TerminationSignals: Sendable {
  private struct State {
    /// Signals that nothing has waited for yet.
    var arrived: [Int32] = []
    var tasks: [(number: Int, continuation: CheckedContinuation<Int32?, Never>)] = []
    var lastTask = 0
  }

  fileprivate let signals: [Int32]
  private let state = Lock(State())
  private let arrival = AutoResetEvent()

  /// Takes signals: by default the signals that end a program. Others, such as `SIGHUP`, can also
  /// be taken.
  public init(_ signals: [Int32] = [SIGTERM, SIGINT]) {
    self.signals = signals
    SignalDelivery.add(self)
  }

  /// Waits for a signal and blocks the calling thread, in a program without an asynchronous `main`.
  ///
  /// - Returns: The signal; nil if none has arrived in time.
  @available(*, noasync, message: "await next() instead")
  @discardableResult
  public func wait(timeout: Duration? = nil) -> Int32? {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      if let signal = takeArrived() { return signal }
      let rest = deadline.map { $0 - .now } ?? .seconds(3600)
      if rest <= .zero { return nil }
      arrival.wait(for: rest)
    }
  }

  private func takeArrived() -> Int32? {
    state.withLock { $0.arrived.isEmpty ? nil : $0.arrived.removeFirst() }
  }

  /// Waits for a signal.
  ///
  /// - Returns: The signal; nil if the task is canceled.
  @discardableResult
  public func next() async -> Int32? {
    let number = state.withLock { state in
      state.lastTask += 1
      return state.lastTask
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // If the cancellation came earlier, its handler has found no task.
        let isCanceled = Task.isCancelled
        let signal = state.withLock { state -> Int32?? in
          if isCanceled { return .some(nil) }
          if !state.arrived.isEmpty { return state.arrived.removeFirst() }
          state.tasks.append((number, continuation))
          return nil
        }
        if let signal { continuation.resume(returning: signal) }
      }
    } onCancel: {
      let canceled = state.withLock { state in
        state.tasks.firstIndex { $0.number == number }.map { state.tasks.remove(at: $0) }
      }
      canceled?.continuation.resume(returning: nil)
    }
  }

  /// Passes a signal to whatever waits for it.
  fileprivate func deliver(_ signal: Int32) {
    let task = state.withLock { state in
      if state.tasks.isEmpty {
        state.arrived.append(signal)
        return nil as CheckedContinuation<Int32?, Never>?
      }
      return state.tasks.removeFirst().continuation
    }
    arrival.signal()
    task?.resume(returning: signal)
  }
}

/// Passes signals from the signal handler, which may do hardly anything, to the objects that wait
/// for them, on its own thread.
private enum SignalDelivery {
  private struct Reference {
    weak var receiver: TerminationSignals?
  }

  private static let receivers = Lock<[Reference]>([])
  /// A bit for each signal that the process takes.
  private static let taken = Atomic<UInt64>(0)
  /// A bit for each signal that has arrived since the thread last checked.
  private static let arrived = Atomic<UInt64>(0)
  private static let wake: Threading.Semaphore = {
    let semaphore = Threading.Semaphore()
    semaphore.wait()
    return semaphore
  }()
  /// The process that has the thread. A forked child has none.
  private static let process = Atomic<pid_t>(0)

  private static func bit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal - 1) }

  /// Takes the signals of a receiver, as long as the receiver exists. If the system cannot start
  /// the thread, they still end the process.
  static func add(_ receiver: TerminationSignals) {
    let current = getpid()
    if process.exchange(current, ordering: .relaxed) != current {
      // A child has its parent's bits.
      arrived.store(0, ordering: .relaxed)
      guard BackgroundThread.start("larder-signals", run) else {
        process.store(0, ordering: .relaxed)
        return
      }
    }
    receivers.withLock { receivers in
      receivers.removeAll { $0.receiver == nil }
      receivers.append(Reference(receiver: receiver))
    }
    taken.bitwiseOr(receiver.signals.reduce(0) { $0 | bit($1) }, ordering: .relaxed)
    wake.post()
    for number in receiver.signals { signal(number, handle) }
  }

  private static let handle: @convention(c) (Int32) -> Void = { number in
    guard process.load(ordering: .relaxed) == getpid() else {
      // The signal is delivered when the handler returns.
      signal(number, SIG_DFL)
      raise(number)
      return
    }
    arrived.bitwiseOr(bit(number), ordering: .releasing)
    wake.post()
  }

  private static func run() {
    while true {
      unblock(taken.load(ordering: .relaxed))
      ForkGate.shared.allowingForks { wake.wait() }
      let bits = arrived.exchange(0, ordering: .acquiring)
      if bits == 0 { continue }
      for receiver in receivers.withLock({ $0.compactMap(\.receiver) }) {
        for signal in receiver.signals where bits & bit(signal) != 0 {
          // Resuming may run other tasks on this thread.
          ForkGate.shared.allowingForks { receiver.deliver(signal) }
        }
      }
    }
  }

  /// Lets this thread receive signals that all other threads may block, for example because a
  /// process that blocks them started this one.
  private static func unblock(_ bits: UInt64) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in 1..<Int32(64) where bits & bit(signal) != 0 { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

extension PreferencesStore {
  /// Waits until the task is canceled, and then saves the changes of all stores, in a child task
  /// next to a server, or the `run()` of a service.
  ///
  /// ```swift
  /// try await withThrowingTaskGroup { group in
  ///   group.addTask { try await PreferencesStore.flushWhenCanceled() }
  ///   await signals.next()
  ///   group.cancelAll()
  ///   try await group.waitForAll()
  /// }
  /// ```
  ///
  /// - Parameter timeout: As for ``flushAll(timeout:)-2aydh``.
  /// - Throws: The error of a domain that was not saved.
  public static func flushWhenCanceled(timeout: Duration? = nil) async throws {
    let (stream, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    // A canceled task cannot wait for anything.
    let engine = currentEngine
    try await Task.detached { try await engine.flushAll(timeout: timeout) }.value
  }
}
