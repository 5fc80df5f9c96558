internal import Glibc
internal import Threading

/// The work to do after a change, once no lock is held: calling observers and handlers of events, and
/// releasing objects, whose deinitializers may be a user's code.
struct Delivery {
  private var calls = Calls()
  private var released: [AnyObject] = []

  mutating func add(_ observer: any QueuedObserver) {
    if calls.observers.last !== observer { calls.observers.append(observer) }
  }

  mutating func add(_ event: PreferencesEvent) {
    calls.events.append(event)
  }

  /// Adds the work of another delivery.
  mutating func add(_ other: Delivery) {
    for observer in other.calls.observers { add(observer) }
    calls.events += other.calls.events
    released += other.released
  }

  /// Keeps a value until the delivery itself is released.
  mutating func deferRelease<Value: ~Copyable>(of value: consuming Value) {
    released.append(Box(value))
  }

  /// Calls the observers and the handlers on this thread. Within another delivery on it, the
  /// outermost one calls them.
  consuming func deliver() {
    for thread in BackgroundThread.takeFailures() { add(.threadFailure(thread: thread)) }
    if calls.isEmpty { return }
    if let outer = Batch.current {
      outer.calls.append(calls)
      return
    }
    Self.batchingNotifications { Batch.current?.calls.append(calls) }
  }

  /// Calls only the handlers of events.
  consuming func postEvents() {
    for event in calls.events { event.post() }
  }

  /// Calls a closure, and then, on this thread, all observers and handlers that have to be notified
  /// of what it did: for closures that hold locks.
  static func batchingNotifications<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if Batch.current != nil { return try body() }
    let batch = Batch()
    Batch.current = batch
    defer {
      while !batch.calls.isEmpty { exchange(&batch.calls, with: Calls()).perform() }
      Batch.current = nil
    }
    return try body()
  }

  /// Calls the observers and the handlers on a thread of the library, so that they do not delay the
  /// caller.
  consuming func deliverAsynchronously() {
    if calls.isEmpty { return }
    ExternalChangeDispatcher.shared.deliver(calls)
  }

  /// Calls the handlers of an event on a thread of the library: for threads that hold locks.
  static func deliverAsynchronously(_ event: PreferencesEvent) {
    var delivery = Delivery()
    delivery.add(event)
    delivery.deliverAsynchronously()
  }

  /// The observers and the handlers of events to call.
  fileprivate struct Calls {
    var observers: [any QueuedObserver] = []
    var events: [PreferencesEvent] = []

    var isEmpty: Bool { observers.isEmpty && events.isEmpty }

    mutating func append(_ other: Calls) {
      observers += other.observers
      events += other.events
    }

    func perform() {
      for observer in observers { observer.deliver() }
      for event in events { event.post() }
    }
  }

  private final class Box<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
  }

  /// The calls that a thread has to make.
  private final class Batch {
    var calls = Calls()

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    /// The batch of this thread.
    static var current: Batch? {
      get { pthread_getspecific(key).map { Unmanaged<Batch>.fromOpaque($0).takeUnretainedValue() } }
      set {
        if let current { Unmanaged.passUnretained(current).release() }
        pthread_setspecific(key, newValue.map { Unmanaged.passRetained($0).toOpaque() })
      }
    }
  }
}

/// Calls observers of changes that come from other processes, and handlers of events, on a thread
/// that lives as long as there are any.
private final class ExternalChangeDispatcher: Sendable {
  static let shared = ExternalChangeDispatcher()

  private struct State {
    var calls = Delivery.Calls()
    /// The fork count of the process in which the thread runs; nil if there is no thread.
    var threadForks: UInt32?
  }

  private let state = Lock(State())

  func deliver(_ calls: Delivery.Calls) {
    let needsThread = state.withLock { state in
      state.calls.append(calls)
      if state.threadForks == Fork.count { return false }
      state.threadForks = Fork.count
      return true
    }
    if needsThread, !BackgroundThread.start("larder-observe", { Self.shared.run() }) {
      // The system has no more threads.
      while let calls = next() { Self.perform(calls) }
    }
  }

  private func run() {
    while let calls = next() {
      ForkGate.shared.allowingForks { Self.perform(calls) }
    }
  }

  private static func perform(_ calls: Delivery.Calls) {
    Delivery.batchingNotifications { calls.perform() }
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
