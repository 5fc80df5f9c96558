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

  /// Serves until the process is told to end, and saves everything.
  ///
  /// - Parameter whenReady: Called when clients can connect.
  /// - Throws: What could not be started or saved.
  func run(whenReady: () -> Void = {}) throws {
    let signals = TerminationSignals([SIGTERM, SIGINT, SIGHUP])
    let metrics = service.metrics
    // Everything that happens behind the server's calls, such as a file that cannot be read.
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

    // No connection is accepted any more, pending requests are answered, and everything is saved.
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

  /// Answers the requests of a client until it goes, or the threads are told to stop.
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

  /// Ends the worker in good order when its supervisor tells it to, or has ended in any way.
  private func endWithSupervisor(_ lifeline: Int32) throws {
    _ = try ServerThread {
      var byte: UInt8 = 0
      while read(lifeline, &byte, 1) < 0, errno == EINTR {}
      kill(getpid(), SIGTERM)
    }
  }
}
