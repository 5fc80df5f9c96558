import Glibc

/// A thread that can be waited for.
struct ServerThread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  private let thread: pthread_t

  /// Starts a thread.
  init(_ body: @escaping @Sendable () -> Void) throws {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body))
    errno = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    if errno != 0 {
      context.release()
      throw Failure(system: "starting a thread")
    }
    self.thread = thread
  }

  /// Waits for the end of the thread.
  func join() { pthread_join(thread, nil) }
}
