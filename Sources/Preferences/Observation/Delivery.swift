internal import Glibc
internal import Threading

/// What remains to be done after a change, when no lock is held any more: calling observers, and letting
/// go of what nobody sees any longer, since that may call what a user has made, too.
struct Delivery {
  private var observers: [Observer] = []
  private var discarded: [AnyObject] = []

  mutating func add(_ observer: Observer) {
    if observers.last !== observer { observers.append(observer) }
  }

  mutating func discard<Value: ~Copyable>(_ value: consuming Value) {
    discarded.append(Discarded(value))
  }

  /// Calls the observers on this thread. If it is calling some already, the outermost call does it
  /// when it gets there.
  consuming func deliver() {
    if observers.isEmpty { return }
    if let outer = Round.current {
      outer.observers += observers
      return
    }
    Self.collecting { Round.current?.observers += observers }
  }

  /// Does something and then calls all the observers on this thread that have to be called for that:
  /// for what is done with a lock held.
  static func collecting<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if Round.current != nil { return try body() }
    let round = Round()
    Round.current = round
    defer {
      while !round.observers.isEmpty {
        for observer in exchange(&round.observers, with: []) { observer.deliver() }
      }
      Round.current = nil
    }
    return try body()
  }

  /// Calls the observers on a thread of their own, so that they keep nobody from the work at hand.
  consuming func deliverElsewhere() {
    if observers.isEmpty { return }
    OutsideDelivery.shared.deliver(observers)
  }

  private final class Discarded<Value: ~Copyable> {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
  }

  /// The observers that a thread has to call.
  private final class Round {
    var observers: [Observer] = []

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    /// The round of this thread.
    static var current: Round? {
      get { pthread_getspecific(key).map { Unmanaged<Round>.fromOpaque($0).takeUnretainedValue() } }
      set {
        if let current { Unmanaged.passUnretained(current).release() }
        pthread_setspecific(key, newValue.map { Unmanaged.passRetained($0).toOpaque() })
      }
    }
  }
}

/// The thread that calls observers of what comes from other processes. It lives while there is something
/// to tell.
private final class OutsideDelivery: Sendable {
  static let shared = OutsideDelivery()

  private struct State {
    var observers: [Observer] = []
    /// The fork count of the process in which the thread runs.
    var isRunning: UInt32?
  }

  private let state = Lock(State())

  func deliver(_ observers: [Observer]) {
    let needsThread = state.withLock { state in
      state.observers += observers
      if state.isRunning == Fork.count { return false }
      state.isRunning = Fork.count
      return true
    }
    if needsThread, !BackgroundThread.start("larder-observe", { OutsideDelivery.shared.run() }) {
      // There is no other thread to be had.
      while let observers = next() { Self.call(observers) }
    }
  }

  private func run() {
    while let observers = next() {
      ForkGate.shared.allowingForks { Self.call(observers) }
    }
  }

  private static func call(_ observers: [Observer]) {
    Delivery.collecting { for observer in observers { observer.deliver() } }
  }

  private func next() -> [Observer]? {
    state.withLock { state in
      if state.observers.isEmpty {
        state.isRunning = nil
        return nil
      }
      return exchange(&state.observers, with: [])
    }
  }
}
