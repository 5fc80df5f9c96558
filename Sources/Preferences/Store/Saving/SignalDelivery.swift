internal import Glibc
internal import Synchronization
internal import Threading

/// Passes signals from their handler, which may do hardly anything, to the objects that wait for
/// them, on a thread of its own.
enum SignalDelivery {
  private struct Receiver {
    weak var object: TerminationSignals?
  }

  private static let receivers = Lock<[Receiver]>([])
  /// A bit for each signal that the process takes.
  private static let taken = Atomic<UInt64>(0)
  /// A bit for each signal that has arrived since the thread last looked.
  private static let arrived = Atomic<UInt64>(0)
  private static let wake: Threading.Semaphore = {
    let semaphore = Threading.Semaphore()
    semaphore.wait()
    return semaphore
  }()
  /// The process that has the thread. A forked child has none.
  private static let process = Atomic<pid_t>(0)

  private static func bit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal - 1) }

  /// Takes the signals of an object. If the system cannot start the thread, they still end the
  /// process.
  static func add(_ object: TerminationSignals) {
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
      receivers.removeAll { $0.object == nil }
      receivers.append(Receiver(object: object))
    }
    taken.bitwiseOr(object.signals.reduce(0) { $0 | bit($1) }, ordering: .relaxed)
    wake.post()
    for number in object.signals { signal(number, handle) }
  }

  private static let handle: @convention(c) (Int32) -> Void = { number in
    guard process.load(ordering: .relaxed) == getpid() else {
      // Delivered when the handler returns.
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
      let objects = receivers.withLock { $0.compactMap(\.object) }
      for object in objects {
        for signal in object.signals where bits & bit(signal) != 0 {
          // Resuming may run other tasks here.
          ForkGate.shared.allowingForks { object.deliver(signal) }
        }
      }
    }
  }

  /// Lets this thread receive signals that all other threads may block, as after a start by a process
  /// that blocks them.
  private static func unblock(_ bits: UInt64) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in 1..<Int32(64) where bits & bit(signal) != 0 { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
