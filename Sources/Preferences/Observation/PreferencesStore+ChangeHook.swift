internal import Synchronization
internal import Threading

extension PreferencesStore {
  /// Calls a handler after a store's own domain has been changed through the store, for
  /// notifications that need full Foundation.
  package final class ChangeHook: Sendable {
    package static let shared = ChangeHook()

    /// A wrapper, because generic code would convert a bare closure at each access.
    private struct Handler {
      var body: @Sendable (PreferencesStore) -> Void
    }

    private let handler = Lock<Handler?>(nil)
    /// Cheaper to read than the handler.
    private let isSet = Atomic(false)

    package func set(_ handler: @escaping @Sendable (PreferencesStore) -> Void) {
      self.handler.withLock { $0 = Handler(body: handler) }
      isSet.store(true, ordering: .releasing)
    }

    func call(_ store: PreferencesStore) {
      if isSet.load(ordering: .acquiring) { handler.withLock { $0 }?.body(store) }
    }
  }
}
