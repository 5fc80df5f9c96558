import Foundation
import Preferences
import PropertyList

/// Calls that tasks wait for.
extension Main {
  /// Blocks the thread until a task has ended.
  ///
  /// - Returns: Its result; nil if it takes longer than a limit.
  func result<Value: Sendable>(
    within limit: DispatchTimeInterval, of body: @escaping @Sendable () async throws -> Value
  ) -> Result<Value, any Error>? {
    // Written before the signal and read after it.
    nonisolated(unsafe) var result: Result<Value, any Error>?
    let end = DispatchSemaphore(value: 0)
    Task {
      do { result = .success(try await body()) } catch { result = .failure(error) }
      end.signal()
    }
    return end.wait(timeout: .now() + limit) == .success ? result : nil
  }

  /// `flush-in-tasks <count>` sets a key, saves it in several tasks at once, prints how each ends, and
  /// `end` when all have ended or 20 seconds have passed.
  func flushInTasks() {
    // Nothing must be saved in the background.
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    store.set(true, forKey: "key")
    _ = result(within: .seconds(20)) {
      await withTaskGroup { group in
        for _ in 0..<number(0) {
          group.addTask {
            do {
              try await store.flush()
              say("saved")
            } catch {
              say("\(error)")
            }
          }
        }
      }
    }
    say("end")
    // An orderly exit would try again.
    _exit(0)
  }

  /// `cancel-flush-all` sets a key and saves all stores in a task, which it cancels. It prints how
  /// the task ends, and how many milliseconds after it was canceled.
  func cancelFlushAll() {
    PreferencesStore.runtimeConfiguration.commitDelay = .seconds(3600)
    store.set(true, forKey: "key")
    let start = ContinuousClock.now
    let result = result(within: .seconds(30)) {
      let task = Task { try await PreferencesStore.flushAll() }
      // Time for it to wait for the lock.
      usleep(500_000)
      task.cancel()
      do {
        try await task.value
        return "saved"
      } catch {
        return "\(error)"
      }
    }
    let time = ContinuousClock.now - start - .milliseconds(500)
    say((try? result?.get()) ?? "waits")
    say("\(Int(time / .milliseconds(1)))")
    _exit(0)
  }
}
