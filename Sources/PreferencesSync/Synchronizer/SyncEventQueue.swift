internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import Threading

/// What has come in for the one task that synchronizes, from observers, callers and the remote store.
final class SyncMailbox: Sendable {
  /// What there is to do.
  struct Work: Sendable {
    /// The keys that are synchronized, with the number of their addition.
    var keys: [ByteKey: Int] = [:]
    /// The keys that were removed.
    var removed: Set<ByteKey> = []
    /// The keys that the store's own domain has changed, and when.
    var touched: [ByteKey: Date] = [:]
    /// Whether any other key may have been changed, too.
    var checksAll = false
    /// What the remote store has told, the latest of each key.
    var entries: [ByteKey: RemoteEntry] = [:]
    /// Why the stream of changes has ended; nil where it has not.
    var disconnection: (any Error)?
    /// Whether there is no time to wait until the next attempt.
    var isPrompted = false
    /// Who waits for all of this to be done.
    var waiters: Set<Int> = []
  }

  private struct State {
    var work = Work()
    var hasWork = false
    var isCancelled = false
    /// How many additions, streams of changes and waiters there have been.
    var additions = 0
    var streams = 0
    var waiters = 0
    /// The task that synchronizes, when it waits for work.
    var worker: CheckedContinuation<Void, Never>?
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// Those who gave up before they could wait.
    var cancelled: Set<Int> = []
    var handlers: [@Sendable (SynchronizationError) -> Void] = []
    var isConnected = false
    /// The right to use the file of what is remembered.
    var claim: FileClaim?
  }

  private let state = Lock(State())

  /// Changes the state, and has the task take notice.
  private func post(_ body: (inout State) -> Bool) {
    let worker: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard !state.isCancelled, body(&state) else { return nil }
      state.hasWork = true
      defer { state.worker = nil }
      return state.worker
    }
    worker?.resume()
  }

  // MARK: Callers

  /// The keys in the order in which they were added.
  var keys: [String] {
    state.withLock { $0.work.keys }.sorted { $0.value < $1.value }.map(\.key.text)
  }

  /// Whether a key has been neither removed nor added anew since an addition.
  func has(_ key: String, since addition: Int) -> Bool {
    state.withLock { !$0.isCancelled && $0.work.keys[ByteKey(key)] == addition }
  }

  func add(_ keys: [String]) {
    post { state in
      let old = state.additions
      for key in keys where state.work.keys[ByteKey(key)] == nil {
        state.additions += 1
        state.work.keys[ByteKey(key)] = state.additions
      }
      return state.additions > old
    }
  }

  /// Removes keys, nil for all.
  func remove(_ keys: [String]?) {
    post { state in
      let removed = keys?.map { ByteKey($0) } ?? Array(state.work.keys.keys)
      for key in removed {
        state.work.keys[key] = nil
        state.work.removed.insert(key)
        state.work.touched[key] = nil
        state.work.entries[key] = nil
      }
      return true
    }
  }

  func prompt() {
    post { state in
      state.work.isPrompted = true
      return true
    }
  }

  /// Waits until all that there is to do has been done.
  func wait() async throws {
    let waiter = state.withLock { state in
      state.waiters += 1
      return state.waiters
    }
    defer { _ = state.withLock { $0.cancelled.remove(waiter) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let canWait = state.withLock { state in
          if state.cancelled.contains(waiter) || state.isCancelled { return false }
          state.waiting[waiter] = continuation
          return true
        }
        guard canWait else { return continuation.resume(throwing: CancellationError()) }
        post { state in
          state.work.waiters.insert(waiter)
          state.work.isPrompted = true
          return true
        }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.work.waiters.remove(waiter)
        let continuation = state.waiting.removeValue(forKey: waiter)
        if continuation == nil { state.cancelled.insert(waiter) }
        return continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  func onFailure(_ handler: @escaping @Sendable (SynchronizationError) -> Void) {
    state.withLock { state in if !state.isCancelled { state.handlers.append(handler) } }
  }

  var isConnected: Bool { state.withLock { $0.isConnected } }

  /// Ends everything.
  func cancel() {
    let old = state.withLock { state in
      defer {
        state.isCancelled = true
        state.isConnected = false
        state.work = Work()
        state.worker = nil
        state.waiting = [:]
        state.handlers = []
        state.claim = nil
      }
      return state
    }
    old.claim?.end()
    old.worker?.resume()
    for continuation in old.waiting.values { continuation.resume(throwing: CancellationError()) }
  }

  // MARK: Observers and streams

  /// Takes note that the store's own domain has changed a key.
  func touch(_ key: String, at now: () -> Date) {
    let date = now()
    post { state in
      guard state.work.keys[ByteKey(key)] != nil else { return false }
      state.work.touched[ByteKey(key)] = date
      return true
    }
  }

  /// The number of a new stream of changes; what older ones give does not count any longer.
  func beginStream() -> Int {
    state.withLock { state in
      state.streams += 1
      state.work.disconnection = nil
      state.isConnected = true
      return state.streams
    }
  }

  func endStream() {
    state.withLock { state in
      state.streams += 1
      state.isConnected = false
    }
  }

  func receive(_ entry: RemoteEntry, from stream: Int) {
    post { state in
      guard stream == state.streams, state.work.keys[ByteKey(entry.key)] != nil else {
        return false
      }
      state.work.entries[ByteKey(entry.key)] = entry
      return true
    }
  }

  func disconnect(_ error: any Error, from stream: Int) {
    post { state in
      guard stream == state.streams else { return false }
      state.work.disconnection = error
      state.isConnected = false
      return true
    }
  }

  // MARK: The task

  /// The right to use the file of what is remembered; nil before it was obtained, and when all has ended.
  ///
  /// Whoever writes keeps it meanwhile, so that nobody else begins before that is done.
  var claim: FileClaim? { state.withLock { $0.claim } }

  /// Keeps the right until all ends.
  func keep(_ claim: FileClaim) {
    state.withLock { state in
      if state.isCancelled { return }
      claim.keep()
      state.claim = claim
    }
  }

  /// What there is to do, as soon as there is something; nil when all has ended.
  func next() async -> Work? {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        if state.hasWork || state.isCancelled { return false }
        state.worker = continuation
        return true
      }
      if !isWaiting { continuation.resume() }
    }
    return state.withLock { state in
      if state.isCancelled { return nil }
      state.hasWork = false
      var rest = Work()
      rest.keys = state.work.keys
      rest.waiters = state.work.waiters
      defer { state.work = rest }
      return state.work
    }
  }

  /// Lets those go on who waited for work that is done now, or cannot be.
  func resume(_ waiters: Set<Int>, _ result: Result<Void, any Error>) {
    let continuations = state.withLock { state in
      state.work.waiters.subtract(waiters)
      return waiters.compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for continuation in continuations { continuation.resume(with: result) }
  }

  func report(_ error: SynchronizationError) {
    for handler in state.withLock({ $0.handlers }) { handler(error) }
  }
}
