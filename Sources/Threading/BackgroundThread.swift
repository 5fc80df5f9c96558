internal import CLinuxFile
internal import Glibc

/// Detached threads of the library.
///
/// They are plain pthreads because the threads of Dispatch do not survive a fork, and a daemon that
/// forks into the background has to go on.
package enum BackgroundThread {
  private final class Start {
    let gate = ForkGate.shared
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    // Within the gate before anything that might take a lock of the runtime.
    func run() { gate.delayingForks(body) }
  }

  /// Starts a thread with all signals blocked. It runs within the ``ForkGate``.
  ///
  /// - Parameter name: The name that debuggers show, of at most 15 bytes.
  /// - Returns: False when the system cannot create another thread, which may be possible later.
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
