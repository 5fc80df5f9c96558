import FileStorage
import Foundation
import TestSupport
import Testing
import Threading

/// A watched file whose state is recorded at each call of its handler.
final class FileObserver: Sendable {
  private struct Record {
    var state: String?
    var calls = 0
  }

  private let record = Lock(Record())
  private let token = Lock<WatchedFile?>(nil)

  /// Watches a file, and records its content, or what the closure returns instead.
  init(
    _ watcher: FileWatcher, _ path: String,
    recording state: @escaping @Sendable (String) -> String = FileObserver.content
  ) {
    let file = watcher.watch(path) { [record] in
      let state = state(path)
      record.withLock {
        $0.state = state
        $0.calls += 1
      }
    }
    token.withLock { $0 = file }
  }

  deinit {
    cancel()
  }

  /// The content of a file; `-` if it does not exist.
  static let content: @Sendable (String) -> String = { path in
    (try? AtomicFile.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? "-"
  }

  /// The state at the last call.
  var state: String? { record.withLock { $0.state } }

  /// How often the handler was called.
  var calls: Int { record.withLock { $0.calls } }

  func cancel() {
    let file = token.withLock { file in
      defer { file = nil }
      return file
    }
    file?.cancel()
  }

  /// Waits for a call that finds the file in a state, and is the last so far.
  func sees(_ state: String) async -> Bool {
    await eventually { self.state == state }
  }
}
