internal import Glibc
internal import Threading

/// The work to do after a change, once no lock is held: calling observers, and releasing objects,
/// whose deinitializers may be a user's code.
struct Delivery {
  private var observers: [Observer] = []
  private var released: [AnyObject] = []

  mutating func add(_ observer: Observer) {
    if observers.last !== observer { observers.append(observer) }
  }

  /// Adds the work of another delivery.
  mutating func add(_ other: Delivery) {
    for observer in other.observers { add(observer) }
    released += other.released
  }

  /// Keeps a value until the delivery itself is released.
  mutating func deferRelease<Value: ~Copyable>(of value: consuming Value) {
    released.append(Box(value))
  }

  /// Calls the observers on this thread. Within another delivery on it, the outermost one calls
  /// them.
  consuming func deliver() {
    if observers.isEmpty { return }
    if let outer = Batch.current {
      outer.observers += observers
      return
    }
    Self.batchingNotifications { Batch.current?.observers += observers }
  }

  /// Calls a closure, and then, on this thread, all observers that have to be notified of what it
  /// did: for closures that hold locks.
  static func batchingNotifications<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if Batch.current != nil { return try body() }
    let batch = Batch()
    Batch.current = batch
    defer {
      while !batch.observers.isEmpty {
        for observer in exchange(&batch.observers, with: []) { observer.deliver() }
      }
      Batch.current = nil
    }
    return try body()
  }

  /// Calls the observers on a thread of the library, so that they do not delay the caller.
  consuming func deliverAsynchronously() {
    if observers.isEmpty { return }
    ExternalChangeDispatcher.shared.deliver(observers)
  }

  private final class Box<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
  }

  /// The observers that a thread has to call.
  private final class Batch {
    var observers: [Observer] = []

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

/// Calls observers of changes that come from other processes, on a thread that lives as long as
/// there are any.
private final class ExternalChangeDispatcher: Sendable {
  static let shared = ExternalChangeDispatcher()

  private struct State {
    var observers: [Observer] = []
    /// The fork count of the process in which the thread runs; nil if there is no thread.
    var threadForks: UInt32?
  }

  private let state = Lock(State())

  func deliver(_ observers: [Observer]) {
    let needsThread = state.withLock { state in
      state.observers += observers
      if state.threadForks == Fork.count { return false }
      state.threadForks = Fork.count
      return true
    }
    if needsThread, !BackgroundThread.start("larder-observe", { Self.shared.run() }) {
      // The system has no more threads.
      while let observers = next() { Self.call(observers) }
    }
  }

  private func run() {
    while let observers = next() {
      ForkGate.shared.allowingForks { Self.call(observers) }
    }
  }

  private static func call(_ observers: [Observer]) {
    Delivery.batchingNotifications { for observer in observers { observer.deliver() } }
  }

  private func next() -> [Observer]? {
    state.withLock { state in
      if state.observers.isEmpty {
        state.threadForks = nil
        return nil
      }
      return exchange(&state.observers, with: [])
    }
  }
}
