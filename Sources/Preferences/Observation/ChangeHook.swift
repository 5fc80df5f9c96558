internal import Synchronization
internal import Threading

/// Who is told, beside observers, that a store's own domain has been changed through that store: the
/// notifications that only full Foundation has.
package final class ChangeHook: Sendable {
  /// The hook of the process.
  package static let shared = ChangeHook()

  /// The closure, wrapped: a function that is the lock's value itself would be converted to and from the
  /// form that generic code knows at each access, and would call one more function each time.
  private struct Handler {
    var body: @Sendable (PreferencesStore) -> Void
  }

  private let handler = Lock<Handler?>(nil)
  /// Whether there is a handler, which costs less to ask.
  private let isSet = Atomic(false)

  /// Sets who is told.
  package func set(_ handler: @escaping @Sendable (PreferencesStore) -> Void) {
    self.handler.withLock { $0 = Handler(body: handler) }
    isSet.store(true, ordering: .releasing)
  }

  func call(_ store: PreferencesStore) {
    if isSet.load(ordering: .acquiring) { handler.withLock { $0 }?.body(store) }
  }
}
