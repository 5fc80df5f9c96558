#if Etcd
  internal import CCurl
  internal import FoundationEssentials
  internal import Glibc
  internal import Threading

  /// The transport of libcurl: a thread that runs all requests of a store and keeps connections.
  ///
  /// The thread starts with the first request and ends with the transport.
  final class CurlTransport: Sendable {
    private let session = CurlSession()

    deinit {
      session.close()
    }

    @Sendable func start(_ request: HTTPRequest) -> HTTPExchange {
      let exchange = HTTPExchange()
      session.start(request, exchange)
      return exchange
    }
  }

  /// The state that the thread of a transport shares with the senders of requests.
  final class CurlSession: @unchecked Sendable {
    // Sendable because libcurl lets every thread call curl_multi_wakeup, and otherwise only the
    // thread of the session uses the handle.

    private enum Command {
      case start(HTTPRequest, HTTPExchange, number: Int)
      case resume(number: Int)
      case stop(number: Int)
    }

    private struct State {
      var commands: [Command] = []
      var count = 0
      var isRunning = false
      var isClosed = false
      /// Whether the handle is gone.
      var isEnded = false
      /// Whether the thread must leave everything unchanged, because the process ends.
      var isLeft = false
    }

    private let state = Lock(State())
    private let handle: UnsafeMutableRawPointer?
    private let forks = Fork.count

    private let startThread: @Sendable (@escaping @Sendable () -> Void) -> Bool

    private static let isStarted: Bool = larder_curl_start() == CURLE_OK

    /// - Parameter startThread: Starts a thread; returns false if the system cannot create one.
    init(
      startingThread startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = {
        BackgroundThread.start("larder-etcd", $0)
      }
    ) {
      self.startThread = startThread
      handle = Self.isStarted ? curl_multi_init() : nil
      guard let handle else { return }
      // Streams also count. With fewer, each call closes its connection.
      _ = larder_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, 4096)
    }

    private var multi: UnsafeMutableRawPointer { handle! }

    // MARK: Callers

    func start(_ request: HTTPRequest, _ exchange: HTTPExchange) {
      // The thread does not exist in the child of a fork.
      guard handle != nil, forks == Fork.count else {
        return exchange.end(.failure(.noConnection(reason: "the process is the child of a fork")))
      }
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      exchange.setSender { [weak self] in
        self?.post(.resume(number: number))
      } stop: { [weak self] in
        self?.post(.stop(number: number))
      }
      post(.start(request, exchange, number: number))
      let needsThread = state.withLock { state in
        defer { state.isRunning = true }
        return !state.isRunning
      }
      guard needsThread else { return }
      Self.note(self)
      if !startThread({ self.run() }) {
        Self.forget(self)
        failCommands()
      }
    }

    /// Ends the requests that the thread should have sent, if it could not be started.
    private func failCommands() {
      let commands = state.withLock { state in
        state.isRunning = false
        defer { state.commands = [] }
        return state.commands
      }
      for case .start(_, let exchange, _) in commands {
        exchange.fail(.noConnection(reason: "the system cannot create another thread"))
      }
    }

    /// Ends all requests and the thread.
    func close() {
      let isRunning = state.withLock { state in
        state.isClosed = true
        return state.isRunning
      }
      if isRunning {
        wake()
      } else {
        end()
      }
    }

    /// Whether the handle is gone and may no longer be woken.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    private func end() {
      state.withLock { $0.isEnded = true }
      if handle != nil { curl_multi_cleanup(multi) }
    }

    private func post(_ command: Command) {
      state.withLock { $0.commands.append(command) }
      wake()
    }

    /// Wakes the thread.
    ///
    /// - Returns: Whether libcurl was called.
    @discardableResult
    func wake() -> Bool {
      guard forks == Fork.count else { return false }
      return state.withLock { state in
        if state.isEnded { return false }
        curl_multi_wakeup(multi)
        return true
      }
    }

    // MARK: The end of the process

    /// The sessions whose threads run.
    private static let running = Lock<[CurlSession]>([])

    /// The longest time that the end of the process waits for threads.
    private static let patience = Duration.seconds(1)

    /// Makes the threads end before the process does: when a process ends, TLS frees its shared
    /// state, whether or not it is in use.
    private static let endsThreadsAtExit: Void = {
      // TLS has been initialized before, so this handler is called before the handler of TLS.
      atexit { CurlSession.endThreads() }
    }()

    private static func note(_ session: CurlSession) {
      endsThreadsAtExit
      running.withLock { $0.append(session) }
    }

    private static func forget(_ session: CurlSession) {
      running.withLock { $0.removeAll { $0 === session } }
    }

    private static func endThreads() {
      // A forked child has none of the threads.
      let sessions = running.withLock { $0 }.filter { $0.forks == Fork.count }
      for session in sessions { session.leave() }
      let end = ContinuousClock.now + patience
      while ContinuousClock.now < end, sessions.contains(where: { $0.hasThread }) { usleep(500) }
    }

    /// Stops the thread without resuming pending continuations.
    func leave() {
      state.withLock { $0.isLeft = true }
      wake()
    }

    /// Whether the thread runs.
    var hasThread: Bool { Self.running.withLock { $0.contains { $0 === self } } }

    // MARK: The thread

    private func run() {
      defer { Self.forget(self) }
      var transfers: [Int: CurlTransfer] = [:]
      while true {
        let (commands, isClosed, isLeft) = state.withLock { state in
          defer { state.commands = [] }
          return (state.commands, state.isClosed, state.isLeft)
        }
        if isLeft {
          // Neither libcurl nor the exchange is notified.
          for transfer in transfers.values { _ = Unmanaged.passRetained(transfer) }
          return
        }
        for command in commands { execute(command, &transfers) }
        if isClosed { break }
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        finishTransfers(&transfers)
        let now = ContinuousClock.now
        for (number, transfer) in transfers where transfer.isOverdue(at: now) {
          transfers[number] = nil
          transfer.end(.failure(.timedOut), multi)
        }
        let next = transfers.values.compactMap(\.deadline).min().map { now.duration(to: $0) }
        let pause = Int32(
          min(max((next ?? .seconds(60)) / .milliseconds(1), 0), 60_000).rounded(.up))
        ForkGate.shared.allowingForks { _ = curl_multi_poll(multi, nil, 0, pause, nil) }
      }
      for transfer in transfers.values { transfer.end(.failure(.cancelled), multi) }
      end()
    }

    private func execute(_ command: Command, _ transfers: inout [Int: CurlTransfer]) {
      switch command {
      case .start(let request, let exchange, let number):
        guard let transfer = CurlTransfer(request, exchange) else {
          return exchange.end(.failure(.noConnection(reason: "libcurl refused the request")))
        }
        transfers[number] = transfer
        transfer.begin(multi)
      case .resume(let number):
        transfers[number]?.resume()
      case .stop(let number):
        transfers.removeValue(forKey: number)?.end(.failure(.cancelled), multi)
      }
    }

    /// Ends the transfers that libcurl reports as finished.
    private func finishTransfers(_ transfers: inout [Int: CurlTransfer]) {
      var rest: Int32 = 0
      while let message = curl_multi_info_read(multi, &rest) {
        guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
          let number = transfers.first(where: { $0.value.uses(easy) })?.key,
          let transfer = transfers.removeValue(forKey: number)
        else { continue }
        transfer.finish(larder_curl_message_result(message), multi)
      }
    }
  }
#endif
