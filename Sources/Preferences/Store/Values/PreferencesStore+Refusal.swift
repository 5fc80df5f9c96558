internal import Threading

/// Changes that are refused by a store that is read-only or cannot be saved.
extension PreferencesStore {
  /// Whether the store is read-only; then the change is reported.
  ///
  /// - Parameter key: The key; nil for all.
  func refusesChange(ofKey key: String?) -> Bool {
    // Read-only stores are rare, and this is on the way of every change.
    guard isReadOnly else { return false }
    attachments.withLock { $0.hasRefusedChange = true }
    engine.post(.refusedChange(domain: domain, key: key))
    return true
  }

  /// Refuses to change a read-only store.
  func checkWritable() throws(PreferencesError) {
    if isReadOnly { throw .readOnly(domain) }
  }

  /// Refuses to save where that is not possible.
  func checkSavable() throws(PreferencesError) {
    if lacksFolder { throw .noUserFolder }
    try checkWritable()
  }

  /// Throws if changes have been refused, or if there is no folder to save them to.
  func checkNothingRefused() throws(PreferencesError) {
    if lacksFolder { throw .noUserFolder }
    guard isReadOnly else { return }
    let hasRefused = attachments.withLock { exchange(&$0.hasRefusedChange, with: false) }
    if hasRefused { throw .readOnly(domain) }
  }
}
