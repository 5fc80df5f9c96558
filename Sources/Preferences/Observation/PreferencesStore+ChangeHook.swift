internal import Synchronization
internal import Threading

extension PreferencesStore {
  /// A handler that is called, besides observers, when a store's own domain has been changed
  /// through the store: for notifications that only full Foundation has.
  package final class ChangeHook: Sendable {
    /// The hook of the process.
    package static let shared = ChangeHook()

    /// Wraps the closure, because generic code would convert a bare function to and from its own
    /// form at each access.
    private struct Handler {
      var body: @Sendable (PreferencesStore) -> Void
    }

    private let handler = Lock<Handler?>(nil)
    /// Whether there is a handler: cheaper to read.
    private let isSet = Atomic(false)

    /// Sets the handler.
    package func set(_ handler: @escaping @Sendable (PreferencesStore) -> Void) {
      self.handler.withLock { $0 = Handler(body: handler) }
      isSet.store(true, ordering: .releasing)
    }

    func call(_ store: PreferencesStore) {
      if isSet.load(ordering: .acquiring) { handler.withLock { $0 }?.body(store) }
    }
  }
}
