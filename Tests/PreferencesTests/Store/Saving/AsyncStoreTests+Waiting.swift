import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import Threading

/// Calls that wait for other calls of the process.
extension AsyncStoreTests {
  @Test("The timeout of an update includes the wait for another task's update")
  func queuedTimeout() async throws {
    let store = PreferencesStore(fileAt: path)
    let (isInside, mayEnd, hasEnded) = (Latch(), Latch(), Latch())
    let other = Task {
      try await store.update { values in
        values["held"] = true
        isInside.open()
        // An update that does not time out gets its turn.
        let end = ContinuousClock.now + .seconds(60)
        while !mayEnd.isOpen, .now < end { usleep(1000) }
        hasEnded.open()
      }
    }
    #expect(await eventually { isInside.isOpen })
    let error = await #expect(throws: PreferencesError.self) {
      try await store.update(timeout: .milliseconds(300)) { $0["k"] = 1 }
    }
    #expect(!hasEnded.isOpen)
    mayEnd.open()
    expectTimeout(error, after: .milliseconds(300))
    try await other.value
    #expect(try Plist.read(folder.data("k.plist")).value == ["held": true])
  }

  @Test("Each of several updates that wait for the same lock reports its whole wait")
  func sharedLock() async throws {
    let store = PreferencesStore(fileAt: path)
    try await store.update { $0["k"] = 0 }
    let locks = LockHolder()
    try locks.lock(path)
    let timeout = Duration.milliseconds(500)
    let errors = await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          do {
            try await store.update(timeout: timeout) { $0["k"] = 1 }
            return nil as PreferencesError?
          } catch {
            return error as? PreferencesError
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    locks.release()
    for error in errors { expectTimeout(error, after: timeout) }
    #expect(try Plist.read(folder.data("k.plist")).value == ["k": 0])
  }

  /// Expects the error of a lock that was waited for until a timeout.
  private func expectTimeout(
    _ error: PreferencesError?, after timeout: Duration,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard case .lockTimeout(path, let waited, _)? = error else {
      Issue.record("no timeout: \(String(describing: error))", sourceLocation: sourceLocation)
      return
    }
    #expect(waited >= timeout * 3 / 4, sourceLocation: sourceLocation)
  }

  @Test("A blocking call within an update of a task fails at once")
  func nestedBlockingCall() async throws {
    let store = PreferencesStore(fileAt: path)
    let calls: [@Sendable () throws -> Void] = [
      { [path] in try PreferencesStore(fileAt: path).update { $0["inner"] = true } },
      { try store.flush() },
    ]
    let outcomes = try await store.update { values in
      values["outer"] = true
      return calls.map { call in
        let start = ContinuousClock.now
        let result = Result(catching: call)
        return (result, time: ContinuousClock.now - start)
      }
    }
    for (result, time) in outcomes {
      let error = #expect(throws: PreferencesError.self) { try result.get() }
      #expect(error == .withinUpdate(path: path))
      #expect(time < .seconds(4))
    }
    #expect(try Plist.read(folder.data("k.plist")).value == ["outer": true])
  }

  /// The two kinds of updates.
  enum Update: String, CaseIterable, Sendable {
    case blocking, awaited

    /// Sets a key.
    func set(_ key: String, in store: PreferencesStore) async throws {
      func update() throws { try store.update { $0[key] = true } }
      switch self {
      case .blocking: try update()
      case .awaited: try await store.update { $0[key] = true }
      }
    }
  }

  @Test(
    "A task that is created within an update is not canceled with the update's task",
    arguments: Update.allCases)
  func createdTask(kind: Update) async throws {
    let store = PreferencesStore(fileAt: path)
    let outer = Lock<Task<Void, any Error>?>(nil)
    let inner = Lock<Task<Void, any Error>?>(nil)
    let hasBegun = Latch()
    let task = Task {
      try await store.update { values in
        values["outer"] = true
        let new = Task {
          hasBegun.open()
          try await kind.set("inner", in: store)
        }
        inner.withLock { $0 = new }
        _ = eventually { hasBegun.isOpen && outer.withLock { $0 } != nil }
        outer.withLock { $0 }?.cancel()
        // The new task waits for the end of this update.
        usleep(200_000)
      }
    }
    outer.withLock { $0 = task }
    _ = await task.result
    try await #require(inner.withLock { $0 }).value
    #expect(try Plist.read(folder.data("k.plist")).value == ["inner": true, "outer": true])
  }
}
