import Glibc
import Preferences

/// The part of the server that serves: threads that each take a client, answer its requests, and take
/// the next one.
struct Worker: Sendable {
  private let settings: Settings
  private let listener: Listener
  private let service: Service

  init(_ settings: Settings, _ listener: Listener) {
    self.settings = settings
    self.listener = listener
    service = Service(
      settings: settings, tenants: Tenants(in: settings.tenants), metrics: Metrics())
  }

  /// Serves until a signal ends the process, and saves everything.
  ///
  /// - Parameter whenReady: Called when clients can connect.
  /// - Throws: An error if something could not be started or saved.
  func run(whenReady: () -> Void = {}) throws {
    let signals = TerminationSignals([SIGTERM, SIGINT, SIGHUP])
    let metrics = service.metrics
    // What happens in the background, such as a file that cannot be read.
    let events = PreferencesStore.onEvent { event in
      metrics.count(event)
      Log.say("\(event.isWarning ? "warning" : "note"): \(event)")
    }
    defer { events.cancel() }
    let start = ContinuousClock.now
    try service.tenants.openAll(limit: settings.maximumTenants)
    let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))

    let stop = try StopSign()
    let threads = try (0..<settings.threads).map { _ in try ServerThread { serveClients(stop) } }
    if let lifeline = settings.lifeline { try endWithSupervisor(lifeline) }
    Log.say("ready, \(service.tenants.count) tenants read in \(milliseconds) ms")
    whenReady()
    // SIGHUP reloads.
    while signals.wait() == SIGHUP { service.reload() }

    // No more connections are accepted, pending requests are answered, and everything is saved.
    stop.show()
    for thread in threads { thread.join() }
    try PreferencesStore.flushAll(timeout: settings.shutdownLimit)
    Log.say("saved")
  }

  private func serveClients(_ stop: StopSign) {
    while let client = listener.accept(stop) {
      serve(client, stop)
      client.close()
    }
  }

  /// Answers the requests of a client until it disconnects or the threads must stop.
  private func serve(_ client: Connection, _ stop: StopSign) {
    do {
      while let line = try client.readLine(limit: settings.longestRequest, stop) {
        let (text, isLast) = service.answer(line)
        guard client.send(text), !isLast else { return }
      }
    } catch {
      _ = client.send("error: \(error)\n")
    }
  }

  /// Shuts the worker down when its supervisor requests it or has ended in any way.
  private func endWithSupervisor(_ lifeline: Int32) throws {
    _ = try ServerThread {
      var byte: UInt8 = 0
      while read(lifeline, &byte, 1) < 0, errno == EINTR {}
      kill(getpid(), SIGTERM)
    }
  }
}

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
