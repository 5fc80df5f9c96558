/// Who is told, beside observers, that a store's own domain has changed: the notifications that
/// only full Foundation has.
package final class ChangeHook: Sendable {
  /// The hook of the process.
  package static let shared = ChangeHook()

  private let handler = Lock<(@Sendable (PreferencesStore) -> Void)?>(nil)

  /// Sets who is told.
  package func set(_ handler: @escaping @Sendable (PreferencesStore) -> Void) {
    self.handler.withLock { $0 = handler }
  }

  func call(_ store: PreferencesStore) {
    handler.withLock { $0 }?(store)
  }
}
