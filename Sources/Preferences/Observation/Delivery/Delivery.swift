internal import Threading

/// The work to do after a change without locks: calling observers and event handlers, and releasing
/// objects, whose deinitializers may be a user's code.
struct Delivery {
  private var calls = Calls()
  private var released: [AnyObject] = []

  mutating func add(_ observer: any QueuedObserver) {
    if calls.observers.last !== observer { calls.observers.append(observer) }
  }

  mutating func add(_ event: PreferencesEvent, on handlers: EventHandlers) {
    calls.events.append((event, handlers))
  }

  mutating func add(_ other: Delivery) {
    for observer in other.calls.observers { add(observer) }
    calls.events += other.calls.events
    released += other.released
  }

  /// Keeps a value until the delivery is released.
  mutating func deferRelease<Value: ~Copyable>(of value: consuming Value) {
    released.append(Box(value))
  }

  /// Calls the observers and handlers on this thread, after the outermost
  /// ``batchingNotifications(_:)`` if there is one.
  consuming func deliver() {
    for thread in BackgroundThread.takeFailures() {
      add(.threadFailure(thread: thread), on: .process)
    }
    if calls.isEmpty { return }
    Self.batchingNotifications { Batch.current.value?.calls.append(calls) }
  }

  /// Calls only the event handlers.
  consuming func postEvents() {
    for (event, handlers) in calls.events { handlers.post(event) }
  }

  /// Calls a closure that may hold locks, and then, on this thread, the observers and handlers of
  /// its changes.
  static func batchingNotifications<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if Batch.current.value != nil { return try body() }
    let batch = Batch()
    return try Batch.current.withValue(batch) { () throws(Failure) in
      defer {
        // A fork does not wait for code outside the library.
        while !batch.calls.isEmpty {
          ForkGate.shared.allowingForks { exchange(&batch.calls, with: Calls()).perform() }
        }
      }
      return try body()
    }
  }

  /// Calls the observers and handlers on a thread of the library, so that they do not delay the
  /// caller; a manual engine calls them with its other due work.
  consuming func deliverAsynchronously(by queue: DeliveryQueue) {
    if !calls.isEmpty { queue.add(calls) }
  }

  fileprivate struct Calls {
    var observers: [any QueuedObserver] = []
    var events: [(event: PreferencesEvent, handlers: EventHandlers)] = []

    var isEmpty: Bool { observers.isEmpty && events.isEmpty }

    mutating func append(_ other: Calls) {
      observers += other.observers
      events += other.events
    }

    func perform() {
      for observer in observers { observer.deliver() }
      for (event, handlers) in events { handlers.post(event) }
    }
  }

  private final class Box<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
  }

  /// The calls of a thread.
  private final class Batch {
    static let current = ThreadLocal<Batch>()

    var calls = Calls()
  }
}

/// Calls observers of other processes' changes, and event handlers, on a thread that ends with the
/// last call.
final class DeliveryQueue: Sendable {
  private struct State {
    var calls = Delivery.Calls()
    /// The fork count of the thread's process; nil without a thread.
    var threadForks: UInt32?
  }

  private let state = Lock(State())
  /// False for a manual engine, which makes the calls itself.
  private let startsThread: Bool

  init(startsThread: Bool) { self.startsThread = startsThread }

  fileprivate func add(_ calls: Delivery.Calls) {
    let needsThread = state.withLock { state in
      state.calls.append(calls)
      guard startsThread, state.threadForks != Fork.count else { return false }
      state.threadForks = Fork.count
      return true
    }
    // If the system has no more threads, this thread makes the calls.
    if needsThread, !BackgroundThread.start("larder-observe", { self.deliverHere() }) {
      deliverHere()
    }
  }

  func deliverHere() {
    while let calls = next() {
      ForkGate.shared.allowingForks { Delivery.batchingNotifications { calls.perform() } }
    }
  }

  private func next() -> Delivery.Calls? {
    state.withLock { state in
      if state.calls.isEmpty {
        state.threadForks = nil
        return nil
      }
      return exchange(&state.calls, with: Delivery.Calls())
    }
  }
}

/// An observer that may have queued changes.
protocol QueuedObserver: AnyObject, Sendable {
  /// Calls the handler with the queued changes, unless another thread does. If the handler's actor
  /// does not run here, it is called later.
  func deliver()
}
