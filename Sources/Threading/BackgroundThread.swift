internal import CLinuxFile
internal import Glibc

/// Plain threads of the library's own. Those of Dispatch do not survive a fork: a daemon that forks into
/// the background has to go on.
package enum BackgroundThread {
  private final class Start {
    let gate = ForkGate.shared
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    func run() {
      // Before anything that might take a lock of the runtime.
      gate.enter()
      body()
      gate.leave()
    }
  }

  /// Starts a thread, which leaves the handling of signals to others. It is within ``ForkGate`` but where
  /// it rests.
  ///
  /// - Parameter name: Its name as debuggers show it, of at most 15 bytes.
  /// - Returns: False where the system has no more threads.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let start = Unmanaged.passRetained(
      Start {
        larder_name_thread(name)
        body()
      })
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue().run()
      return nil
    }
    guard pthread_create(&thread, nil, run, start.toOpaque()) == 0 else {
      start.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
