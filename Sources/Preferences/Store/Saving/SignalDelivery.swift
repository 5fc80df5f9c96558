internal import Glibc
internal import Synchronization
internal import Threading

protocol SignalReceiver: AnyObject, Sendable {
  var signals: [Int32] { get }

  func deliver(_ signal: Int32)
}

/// Passes signals from their handler, which may do hardly anything, to the objects that wait for
/// them, on a thread of its own.
enum SignalDelivery {
  private struct Reference {
    weak var receiver: (any SignalReceiver)?
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

  /// Takes the signals of a receiver, as long as that exists. If the system cannot start the thread,
  /// they still end the process.
  static func add(_ receiver: some SignalReceiver) {
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
      for receiver in receivers.withLock({ $0.compactMap(\.receiver) }) {
        for signal in receiver.signals where bits & bit(signal) != 0 {
          // Resuming may run other tasks here.
          ForkGate.shared.allowingForks { receiver.deliver(signal) }
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
